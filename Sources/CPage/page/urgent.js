// Urgent words, on a member's page as on a guest's: one at a time.

/**
 * Finds the urgent announcement that its reader is to understand next, the newest, and how many are behind it.
 * An author who says something anew withdraws the one before, which then stands in no list.
 */
export function toUnderstand(urgent) {
  const open = urgent.filter(({ mine, understood }) => !mine && !understood);
  return { next: open[0] || null, behind: Math.max(open.length - 1, 0), open };
}
