export { type CalendarAssigner, type CalendarConfig, type CalendarUnit, calendar } from './calendar.js';
