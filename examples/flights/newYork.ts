import { hours } from 'tidemark';

const zone = 'America/New_York';
const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const date = new Intl.DateTimeFormat('en-GB', {
  timeZone: zone,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** `07:00`, on New York's clock. */
export const timeOfDay = (time: number): string => clock.format(time);

/** `Wed, 2 Jan 2013`, in New York. */
export const dayOf = (time: number): string => date.format(time).replace(/^(\w+) /, '$1, ');

/** The midnight at which the day of `time` began in New York; on the two days on which the clocks change, the hour beside it. */
export function startOfDay(time: number): number {
  const [hour = '0'] = timeOfDay(time).split(':');
  return Math.floor(time / hours(1)) * hours(1) - Number(hour) * hours(1);
}
