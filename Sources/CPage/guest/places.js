// A place, and the ways to it.
import { copy } from './copy.js';
import { h, icon } from './dom.js';
import { button, sheet } from './sheets.js';
import { t } from './words.js';
import { ways } from './ways.js';

const isPlace = (north, east) => Number.isFinite(north) && Number.isFinite(east);

function showWays(title, north, east) {
  const { at, app, web } = ways(north, east);
  const way = (word, href) => h('a.button', {
    href, target: href.startsWith('https:') ? '_blank' : null, rel: 'noopener noreferrer', onClick: () => el.close(),
  }, icon('pin'), h('span', t(word)));
  const el = sheet(title || t('kind_location'), h('p', { dir: 'ltr' }, at), h('.choices', way('mapApp', app),
    way('mapWeb', web), button('copyPlace', () => copy(at), 'copy')));
}

/** A button that opens the ways to a place; false where there are no degrees. */
export const placeButton = ({ latitude, longitude }, title) => isPlace(latitude, longitude)
  && button('map', () => showWays(title, latitude, longitude), 'pin',
    { 'aria-label': title ? `${t('map')}: ${title}` : null });
