// Live updates. Every page works without this script.

const again = 5000;

/** Loads this page again in the background, and puts its main part in the place of the old one if it has changed. */
async function refresh(note) {
  const main = document.getElementById('main');
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const text = await answer.text();
  const parts = text.split(/<main id="main">|<\/main>/);
  if (parts.length === 3 && parts[1] !== refresh.shown) {
    const is_first = refresh.shown === undefined;
    refresh.shown = parts[1];
    if (!is_first) location.reload();
    else if (note) note.textContent = '';
  }
}

if (document.getElementById('pending')) {
  setInterval(() => refresh().catch(() => {}), again / 2);
  refresh().catch(() => {});
} else if (document.getElementById('live')) {
  setInterval(() => { if (!document.hidden) refresh(document.getElementById('live')).catch(() => {}); }, again);
  refresh().catch(() => {});
}
