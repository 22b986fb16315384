// What is behind the menu: oneself, this page, and the way out.
import { go, languageField } from './enter.js';
import { h } from './dom.js';
import { showKept } from './files.js';
import { showMeeting, showProgramme } from './meeting.js';
import { showPeople } from './people.js';
import { showSave } from './save.js';
import { showSearch } from './search.js';
import { forgetHere, leave, write } from './seat.js';
import { ended, state } from './state.js';
import { keeps } from './store.js';
import { isMuted, mute } from './sound.js';
import { button, choices, confirm, fail, field, form, sheet } from './sheets.js';
import { t } from './words.js';

export const showMenu = () => choices(t('more'), ended() ? [
  ['file', t('saveAll'), showSave], ['file', t('keptFiles'), () => showKept().catch(fail)],
  ['search', t('search'), showSearch], ['today', t('programme'), showProgramme], ['language', t('language'), showLanguage],
  ['info', t('about'), showAbout], ['leave', t('forgetTour'), sureToForget],
] : [
  ['pin', t('kind_meeting'), showMeeting], ['today', t('programme'), showProgramme],
  ['people', t('people'), showPeople], ['search', t('search'), showSearch],
  ['file', t('keptFiles'), () => showKept().catch(fail)],
  ...(state.later ? state.later.menu() : []),
  ['announce', t(isMuted() ? 'unmute' : 'mute'), () => mute(!isMuted())],
  ['file', t('saveAll'), showSave], ['edit', t('yourName'), showName], ['language', t('language'), showLanguage], ['info', t('about'), showAbout],
  ['leave', t('leave'), sureToLeave],
]);

function showName() {
  const { name: value } = state.view ? state.view.me : state.record;
  const input = h('input', { type: 'text', required: true, maxlength: 64, dir: 'auto', value });
  const el = sheet(t('yourName'), form('save', () => {
    const name = input.value.trim();
    if (!name) return;
    write({ kind: 'name', name });
    el.close();
  }, field('yourName', input)));
  input.focus();
}

const showLanguage = () => sheet(t('language'), languageField());

function showAbout() {
  const { record, view } = state, isElsewhere = record.host.base !== '';
  sheet(t('about'), h('p', t('hostWhat', { name: record.host.name })), h('p', t('aboutHost')),
    h('p', t(keeps() ? 'aboutKept' : 'notKept')),
    state.later ? state.later.about() : [h('p', t('aboutOpen')), h('h3', t('aboutNot')), h('p', t('aboutHttp'))],
    view && view.me.words && h('p', t('yourWords'), ' ', h('strong', { dir: 'ltr' }, view.me.words)),
    isElsewhere && button('openThere', goThere, null));
}

/** The same page at the device that lets one in now: a page that is loaded there can be loaded again. */
function goThere() {
  const { base, name } = state.record.host;
  go({ base, name });
}

async function sureToLeave() {
  const { tour } = state.record;
  if (await confirm(t('leave'), t('leaveSure', { tour }), t('leave'))) await leave().catch(fail);
}

async function sureToForget() {
  if (await confirm(t('forgetTour'), t('forgetWhat', { tour: state.record.tour }), t('forgetTour'))) await forgetHere();
}
