import { Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { IdleCheck } from '../../../src/schedulers/idleCheck.js';
import { marbles } from '../../helpers/marbles.js';
import { ProbeScheduler } from '../../helpers/probeScheduler.js';

describe('IdleCheck', () => {
  it(
    'W7: silence is told at the second check that saw nothing new, and once',
    marbles((m) => {
      const source = m.hot('5ms a 30ms b', { a: 'a', b: 'b' });
      const quiet = new Observable<string>((out) => {
        const check = new IdleCheck(m.scheduler, 20, () => out.next('I'));
        check.start();
        check.add(source.subscribe(() => check.active()));
        return check;
      });
      // checks at 20 (a came) and 40 (b came at 36) pass, the one at 60 does not
      m.expect(quiet, '^ 200ms !').toBeObservable('60ms I');
    }),
  );

  it('W7: the first check finds a source that never spoke silent; an element starts the checks again', () => {
    const scheduler = new ProbeScheduler();
    const told: number[] = [];
    const check = new IdleCheck(scheduler, 20, () => told.push(scheduler.now()));
    check.start();
    scheduler.advanceTo(500);
    expect([told, scheduler.pending]).toEqual([[20], 0]);
    check.active();
    scheduler.advanceTo(900);
    expect([told, scheduler.pending]).toEqual([[20, 520], 0]);
  });

  it('unsubscribe: leaves no check, and starts none', () => {
    const scheduler = new ProbeScheduler();
    const check = new IdleCheck(scheduler, 20, () => expect.unreachable());
    check.start();
    check.unsubscribe();
    check.start();
    check.active();
    scheduler.advanceTo(100);
    expect(scheduler.pending).toBe(0);
  });
});
