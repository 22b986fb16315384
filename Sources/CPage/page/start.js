// Asks at once for all that the chat is made of, and begins when it can be shown.
const styles = ['style', 'tour', 'notebook'];
const modules = ['app', 'parts', 'dom', 'words', 'moments', 'links', 'ways', 'urgent', 'keyboard', 'api', 'state', 'dialogs', 'look', 'lost', 'calls', 'asks',
  'strip', 'here',
  ...['chat', 'list', 'message', 'reach', 'composer', 'receipts', 'search'].map((name) => `chat/${name}`)];

const link = (rel, href) => new Promise((resolve) => {
  document.head.append(
    Object.assign(document.createElement('link'), { rel, href, onload: resolve, onerror: resolve }));
});

const styled = styles.map((name) => link('stylesheet', `${name}.css`));
for (const name of modules) link('modulepreload', `${name}.js`);
await Promise.all(styled);
import('./app.js');
