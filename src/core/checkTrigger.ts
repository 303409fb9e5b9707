import type { TriggerNode } from '../windows/trigger.js';

/**
 * Refuses a trigger that loses data without being asked to: one that never fires, or one that finishes while records may
 * still come (they would be dropped).
 */
export function checkTrigger(
  where: string,
  kind: 'event' | 'processing' | 'global',
  trigger: TriggerNode | undefined,
  allowedLateness: number,
): void {
  if (trigger === undefined) return;
  let why: string | undefined;
  if (!canFire(trigger)) why = 'never fires';
  else if (finishes(trigger, kind === 'event' && allowedLateness === 0)) {
    why = 'finishes with a firing after which records may still come, and those would be dropped; wrap it in triggers.repeatedly';
  }
  if (why === undefined) return;
  throw new TypeError(`${where}: the trigger ${describe(trigger)} ${why}; set allowDataLoss: true if that is meant`);
}

function canFire(node: TriggerNode): boolean {
  switch (node.kind) {
    case 'never':
      return false;
    case 'once':
    case 'repeatedly':
    case 'purging':
      return canFire(node.trigger);
    case 'orFinally':
      return canFire(node.trigger) || canFire(node.until);
    case 'afterFirst':
      return node.triggers.some(canFire);
    case 'afterAll':
      return node.triggers.every(canFire);
    case 'inOrder':
      return node.triggers[0] !== undefined && canFire(node.triggers[0]);
    default:
      return true;
  }
}

/** Can it finish while records may still come? `endsLast`: nothing comes once the watermark is past the window's end. */
function finishes(node: TriggerNode, endsLast: boolean): boolean {
  switch (node.kind) {
    case 'once':
      return bareFinishes(node.trigger, endsLast);
    case 'afterFirst':
      return node.triggers.some((one) => bareFinishes(one, endsLast));
    case 'afterAll':
    case 'inOrder':
      return node.triggers.every((one) => bareFinishes(one, endsLast));
    case 'orFinally':
      return bareFinishes(node.trigger, endsLast) || bareFinishes(node.until, endsLast);
    case 'purging':
    case 'timeout':
      return finishes(node.trigger, endsLast);
    default:
      return false;
  }
}

function bareFinishes(node: TriggerNode, endsLast: boolean): boolean {
  switch (node.kind) {
    case 'never':
    case 'repeatedly':
      return false;
    case 'eventTime':
      return !endsLast;
    case 'afterWatermark':
      return !endsLast && (node.late === undefined || finishes(node.late, endsLast));
    case 'once':
    case 'afterFirst':
    case 'afterAll':
    case 'inOrder':
    case 'orFinally':
      return finishes(node, endsLast);
    default:
      return true;
  }
}

/** The trigger as one would write it. */
function describe(node: TriggerNode): string {
  if ('until' in node) return `${node.kind}(${describe(node.until)})(${describe(node.trigger)})`;
  if ('trigger' in node) return `${node.kind}(${describe(node.trigger)})`;
  if ('triggers' in node) return `${node.kind}(${node.triggers.map(describe).join(', ')})`;
  return `${node.kind}(${'n' in node ? node.n : ''})`;
}
