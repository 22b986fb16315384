// What is urgent, on a member's page as on a guest's: one thing at a time.

/**
 * Of urgent announcements, the newest first: the one that its reader is to understand next, and how many are behind it.
 * What its author said anew was withdrawn with that, and stands in no list.
 */
export function toUnderstand(urgent) {
  const open = urgent.filter(({ mine, understood }) => !mine && !understood);
  return { next: open[0] || null, behind: Math.max(open.length - 1, 0), open };
}
