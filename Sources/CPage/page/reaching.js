// How many are in reach, on a member's page as on a guest's: it is said only while somebody knows.
import { number, t } from './words.js';

/** `short` stands where there is no room for the words. `isKnown`: the device that counts them answers. */
export const inReach = ({ near, n }, isKnown) => ({
  short: `${isKnown ? number(near) : '?'}/${number(n)}`,
  long: isKnown ? t('reach', { near, n }) : t('reachUnknown'),
});
