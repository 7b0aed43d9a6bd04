// HW1, from the set-up link to the grades.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Actor, PASSWORD, until } from './actor.mjs';
import { complete, crawl, look } from './look.mjs';
import { brokenRuns, probes } from './runs.mjs';
import { serve } from './server.mjs';

const TEAMS = ['M10915010_盧克函', '我們不要BM25了', 'فريق البحث', '👩‍🔬🏳️‍🌈 lab'];
const SLUG = 'hw1-vsm';

/** A time in minutes from now, as a form takes it, in UTC. */
const at = minutes => new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 16);

async function setUp(lecturer, reader, made) {
  await reader.go('/');
  await look(reader.page, 'reader-empty');
  for (const path of ['/login', '/join', '/join/WRONGCODE']) {
    await reader.go(path);
    await look(reader.page, `reader${path.replaceAll('/', '-')}`);
  }
  await lecturer.go(lecturer.server.setup);
  await look(lecturer.page, 'lecturer-setup');
  await lecturer.fill({ Login: 'prof', Name: 'Prof. Chen', Password: PASSWORD });
  await lecturer.press('Make the account');
  await look(lecturer.page, 'lecturer-empty');
  await lecturer.page.getByRole('link', { name: 'Make the first one' }).click();
  await look(lecturer.page, 'lecturer-new');
  await lecturer.fill({
    Address: SLUG, Judgements: made.qrels, Title: 'HW1: vector space', Summary: 'Rank the abstracts of the Vaswani collection for 93 questions.',
    Rules: 'Any weighting is welcome. Write your own index.', Opens: at(-2 * 24 * 60), Closes: at(7 * 24 * 60), 'Entries a day': '20', 'Minutes of grace': '0',
  });
  await lecturer.press('Make a draft');
  assert.match(lecturer.page.url(), new RegExp(`/c/${SLUG}/admin$`), await lecturer.text());
  await look(lecturer.page, 'lecturer-draft');
  assert.equal((await reader.go(`/c/${SLUG}`)).status(), 404, 'a reader sees a draft');
  await look(reader.page, 'reader-not-found');
}

async function baselines(lecturer, { runs }) {
  for (const [name, model] of [['BM25', 'BM25'], ['vector space', 'VSM']]) {
    await lecturer.go(`/c/${SLUG}/admin/baselines`);
    await lecturer.fill({ 'Name of the baseline': name, Run: runs.get(model) });
    await lecturer.press('Send');
    assert.equal(await lecturer.result(), 'scored');
  }
  await lecturer.go(`/c/${SLUG}/admin`);
  assert.match(await lecturer.text('.checklist'), /2 baselines.*to do No one can take part yet/);
  await lecturer.press('Publish');
  assert.match(await lecturer.text(), /No one can take part yet/);
}

async function code(lecturer) {
  await lecturer.go(`/c/${SLUG}/admin/people`);
  await lecturer.press('Make a code');
  await look(lecturer.page, 'lecturer-code');
  return await lecturer.text('.code');
}

/** Makes a token and revokes it, and ends a session elsewhere. */
async function account(lecturer, elsewhere) {
  await elsewhere.go('/login');
  await elsewhere.fill({ Login: 'prof', Password: PASSWORD });
  await elsewhere.press('Sign in', 0);
  await lecturer.go('/me');
  await lecturer.fill({ 'What it is for': 'lab <computer>', 'Days that it is valid': '30' });
  await lecturer.press('Make a token');
  await look(lecturer.page, 'lecturer-token');
  await lecturer.go('/me');
  await look(lecturer.page, 'lecturer-account');
  await lecturer.press('Revoke lab <computer>');
  assert.equal(await lecturer.page.getByText('lab <computer>').count(), 0);
  await lecturer.press('End this session');
  assert.equal((await elsewhere.go('/me')).status(), 401);
  assert.equal((await lecturer.go('/me')).status(), 200);
}

/** The lecturer sees what a reader and members of teams see, and changes nothing. */
async function preview(lecturer, reader, team) {
  const begin = async view => {
    await lecturer.go(`/c/${SLUG}/admin`);
    await lecturer.fill({ 'Show the pages as': view });
    await lecturer.press('Preview');
  };
  const same = async (other, path, part) => {
    await lecturer.go(path);
    await other.go(path);
    assert.equal(await lecturer.text(part), await other.text(part), path);
    assert.match(await lecturer.text('#preview'), /^Preview: /);
  };
  await begin('reader');
  assert.match(await lecturer.text('#preview'), /a reader sees them/);
  for (const path of ['', '/board', '/board/1']) await same(reader, `/c/${SLUG}${path}`, 'main');
  assert.equal((await lecturer.go(`/c/${SLUG}/admin`)).status(), 404);
  await look(lecturer.page, 'preview-not-found');
  await lecturer.go(`/c/${SLUG}`);
  await crawl(lecturer.page, `/c/${SLUG}`, 'preview-reader', `/c/${SLUG}`);
  await lecturer.go(`/c/${SLUG}`);
  await lecturer.press('Leave the preview');
  assert.equal(await lecturer.page.locator('#preview').count(), 0);
  await begin(`a member of ${TEAMS[0]}`);
  for (const path of ['/team', '/team/3/1', '/submit']) await same(team, `/c/${SLUG}${path}`, 'main');
  await look(lecturer.page, 'preview-send-a-run');
  await lecturer.go(`/c/${SLUG}/team`);
  await lecturer.press('Invite members');
  assert.match(await lecturer.text(), /A preview changes nothing/);
  await look(lecturer.page, 'preview-refused');
  await lecturer.press('Leave the preview');
  await begin('participant');
  await lecturer.go(`/c/${SLUG}/team`);
  assert.match(await lecturer.text(), /No team yet|in no team/);
  await look(lecturer.page, 'preview-no-team');
  await lecturer.press('Leave the preview');
}

/** Somebody sends the run of another team, which only the lecturer learns. */
async function twins(team, lecturer, { runs }) {
  assert.equal(await team.submit(SLUG, runs.get('DPH'), 'my own work'), 'scored');
  await until(async () => {
    await lecturer.go(`/c/${SLUG}/admin`);
    return await lecturer.text();
  }, text => /1 entry: the same as another team's/.test(text));
  await look(lecturer.page, 'lecturer-cockpit');
  await lecturer.page.getByRole('link', { name: /the same as another team/ }).click();
  assert.match(await lecturer.text('.question'), /Twins\? The file is that of entry 1 of/);
  await look(lecturer.page, 'lecturer-twins');
}

/** The next homework has the teams of this one. */
async function next(lecturer, team, { qrels }) {
  await lecturer.go(`/c/${SLUG}/admin`);
  await lecturer.page.getByRole('link', { name: 'New campaign like this' }).click();
  await look(lecturer.page, 'lecturer-copy');
  const fill = () => lecturer.fill({ Address: 'hw2-feedback', Title: 'HW2: feedback', Opens: at(-60), Closes: at(7 * 24 * 60), Judgements: qrels });
  await fill();
  await lecturer.press('Check only');
  assert.match(await lecturer.text(), /Nothing is made yet/);
  await look(lecturer.page, 'lecturer-copy-checked');
  await fill();
  await lecturer.press('Make a draft');
  await look(lecturer.page, 'lecturer-copy-made');
  await lecturer.page.getByRole('link', { name: 'Organise the new campaign' }).click();
  await look(lecturer.page, 'lecturer-next-draft');
  await lecturer.press('Publish');
  await team.go('/c/hw2-feedback/team');
  assert.match(await team.text('h1'), new RegExp(TEAMS[1]));
}

/** Joins, sends a run and finds the board, with the keyboard only. */
async function byKeyboard(actor, joining, file, team) {
  const { page } = actor;
  await actor.go('/');
  await actor.tabTo('link', 'Join');
  await page.keyboard.press('Enter');
  await page.waitForURL(/join/);
  for (const [label, value] of [['Code', joining], ['Name of your team', team], ['Login', 'keys'], ['Your name', 'Keys'], ['Password', PASSWORD]]) {
    await actor.type(label, value);
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/c/${SLUG}`);
  await actor.tabTo('link', 'Send a run');
  await page.keyboard.press('Enter');
  await page.waitForURL(/submit/);
  await actor.type('Description', 'typed, not clicked');
  const chooser = page.waitForEvent('filechooser');
  await actor.tabTo('button', /^Run, up to/);
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(file);
  await actor.tabTo('button', 'Send');
  await page.keyboard.press('Enter');
  await page.waitForURL(/team\/\d+\/1$/);
  assert.equal(await actor.result(), 'scored');
  await actor.tabTo('link', 'Board');
  await page.keyboard.press('Enter');
  await page.waitForURL(/board/);
  // The board is made again a moment after the score, and the page follows it.
  await page.locator('#board').getByText(team).first().waitFor();
}

async function brokenOnes(team, scratch, { runs }) {
  for (const { file, names } of brokenRuns(scratch, runs.get('QL'))) {
    await team.go(`/c/${SLUG}/submit`);
    const left = (await team.text()).match(/\d+ of today's|(\d+) left/)?.[0];
    await team.fill({ 'Run, up to': file });
    await team.press('Send');
    if (/team\/\d+\/\d+$/.test(team.page.url())) assert.equal(await team.result(), 'invalid', file);
    assert.match(await team.text(), names, file);
    await look(team.page, `team-${file.split('/').pop().replace('.', '-')}`);
    await team.go(`/c/${SLUG}/submit`);
    assert.equal((await team.text()).match(/\d+ of today's|(\d+) left/)?.[0], left, `${file} was counted`);
  }
}

/** Sends runs that are worse in one topic each. With every score shown they tell which topics are public; with the ladder they tell nothing. */
async function probing(team, lecturer, reader, scratch, { runs }) {
  const name = TEAMS[0];
  const before = (await reader.board(SLUG)).get(name);
  const [shown, ...hidden] = probes(scratch, runs.get('DPH'), 4);
  assert.equal(await team.submit(SLUG, shown, 'probe'), 'scored');
  await lecturer.go(`/c/${SLUG}/admin/settings`);
  await lecturer.fill({ 'Public score changes': 't' });
  await lecturer.press('Save');
  for (const file of hidden) await team.submit(SLUG, file, 'probe');
  const after = await until(async () => (await reader.board(SLUG)).get(name), row => row.entries === before.entries + 4);
  assert.equal(after.value, before.value, 'a probe moved the board');
  await team.go(`/c/${SLUG}/team`);
  await look(team.page, 'team-under-the-ladder');
  assert.doesNotMatch(await team.text('table'), /0\.\d{4}/, 'a probe is answered with a score');
  await lecturer.go(`/c/${SLUG}/admin/settings`);
  await lecturer.fill({ 'Public score changes': 'off' });
  await lecturer.press('Save');
}

/** A site is named that may frame the board, which has a page for that. */
async function embed(lecturer, reader) {
  await lecturer.go(`/c/${SLUG}/admin/settings`);
  await lecturer.fill({ 'Sites that may show the board in a frame': 'https://example.org' });
  await lecturer.press('Save');
  await reader.go(`/c/${SLUG}/board/embed`);
  await look(reader.page, 'reader-embed');
}

async function freeze(lecturer, team, reader, { runs }) {
  await lecturer.go(`/c/${SLUG}/admin`);
  await lecturer.press('Freeze the board now');
  await reader.go(`/c/${SLUG}/board`);
  assert.match(await reader.text('.frozen'), /^Frozen at /);
  const body = async () => await (await reader.context.request.get(`/c/${SLUG}/board`)).text();
  const before = await body();
  assert.equal(await team.submit(SLUG, runs.get('RM3'), 'hidden'), 'scored');
  assert.equal(await body(), before, 'the frozen board moved');
}

async function close(lecturer, team, { runs }) {
  await lecturer.go(`/c/${SLUG}/admin/settings`);
  await lecturer.fill({ Closes: at(-1) });
  await lecturer.press('Save');
  await lecturer.go(`/c/${SLUG}/admin`);
  assert.match(await lecturer.text('ul.facts'), /closed/);
  assert.equal(await team.submit(SLUG, runs.get('Pivoted'), 'overslept'), 'scored');
  assert.match(await team.text('ul.facts'), /late/);
}

/** A corrected version of the judgements is previewed and applied; it has no judgements of some documents, so values move. */
async function correct(lecturer, reader, scratch, { qrels }) {
  const corrected = path.join(scratch, 'corrected.qrels');
  fs.writeFileSync(corrected, fs.readFileSync(qrels, 'utf8').split('\n').filter((_, at) => at % 40 !== 7).join('\n'));
  const before = await lecturer.board(SLUG);
  await lecturer.go(`/c/${SLUG}/admin/qrels`);
  await lecturer.fill({ Judgements: corrected, Why: 'Documents judged by mistake' });
  await lecturer.press('Preview the scores');
  await lecturer.page.getByRole('button', { name: 'Apply' }).waitFor();
  await look(lecturer.page, 'lecturer-correction');
  assert.deepEqual(await lecturer.board(SLUG), before, 'a preview moves the board');
  await lecturer.press('Apply');
  await reader.go(`/c/${SLUG}`);
  assert.match(await reader.text(), /Documents judged by mistake/);
}

async function pick(team, numbers) {
  await team.go(`/c/${SLUG}/team`);
  await team.fill({ 'Numbers of entries': numbers });
  await team.press('Save the pick');
  assert.equal(await team.page.getByText('picked', { exact: true }).count(), numbers.split(' ').length);
}

async function release(lecturer, reader, teams) {
  assert.equal((await reader.go(`/c/${SLUG}/board?part=final`)).status(), 404, 'a reader sees the final board before its release');
  await lecturer.go(`/c/${SLUG}/board?part=final`);
  await look(lecturer.page, 'lecturer-final-board-before-release');
  const preview = await lecturer.board(SLUG, '?part=final');
  await lecturer.go(`/c/${SLUG}/admin`);
  await lecturer.press('Release the final board');
  assert.match(await lecturer.text(), /released/);
  assert.deepEqual(await reader.board(SLUG), preview, 'the released board is not the one that was previewed');
  await grades(lecturer, preview);
  for (const team of teams) {
    await team.go(`/c/${SLUG}/team`);
    assert.match(await team.text(), /0\.\d{4}/);
  }
}

/** The grades are those of the board, as text and number. */
async function grades(lecturer, board) {
  const answer = await lecturer.context.request.get(`/c/${SLUG}/admin/grades`);
  const [heading, ...rows] = (await answer.text()).trim().split('\n').map(line => line.split(','));
  assert.deepEqual(heading.slice(0, 5), ['login', 'name', 'team', 'final rank', 'final value']);
  assert.equal(rows.length, TEAMS.length);
  for (const [, , team, rank, value] of rows) {
    assert.equal(Number(rank), board.get(team).rank, team);
    assert.equal(Number(value), board.get(team).value, team);
  }
}

export async function homework(browser, scratch, made) {
  const server = await serve(scratch);
  const enter = options => Actor.enter(browser, server, options);
  const [lecturer, reader, prober, keys, plain, late] = [
    await enter(), await enter(), await enter(), await enter(), await enter({ javaScriptEnabled: false }), await enter()];
  const roles = { lecturer, reader, participant: keys };
  const walk = async phase => {
    for (const [name, actor] of Object.entries(roles)) {
      await actor.go('/');
      await crawl(actor.page, '/', `${phase}-${name}`);
    }
    console.log(`homework: every page, ${phase}`);
  };
  const step = async (name, ...work) => {
    await Promise.all(work);
    console.log(`homework: ${name}`);
  };

  await step('set up', setUp(lecturer, reader, made));
  await step('baselines', baselines(lecturer, made));
  const joining = await code(lecturer);
  await prober.join(joining, { team: TEAMS[0], login: 'M10915010', name: '盧克函' });
  assert.equal(await prober.submit(SLUG, made.runs.get('DPH'), 'first try'), 'scored');
  await byKeyboard(keys, joining, made.runs.get('TF_IDF'), TEAMS[1]);
  await step('with the keyboard only');
  await plain.join(joining, { team: TEAMS[2], login: 'plain', name: 'ليلى' });
  assert.equal(await plain.submit(SLUG, made.runs.get('QL'), 'no script'), 'scored');
  await until(async () => {
    await plain.go(`/c/${SLUG}/board`);
    return await plain.text('#board');
  }, text => text.includes(TEAMS[2]));
  await step('without scripts');
  await late.join(joining, { team: TEAMS[3], login: 'late', name: 'Ann & Bob' });
  await step('broken runs', brokenOnes(late, scratch, made));
  await late.submit(SLUG, made.runs.get('PL2'), 'good at last');
  await step('twins', twins(late, lecturer, made));
  await step('account', account(lecturer, reader));
  await step('preview', preview(lecturer, reader, prober));
  await walk('open');
  await step('embed', embed(lecturer, reader));
  await step('probing', probing(prober, lecturer, reader, scratch, made));
  await step('freeze', freeze(lecturer, keys, reader, made));
  await walk('frozen');
  await step('deadline', close(lecturer, late, made));
  await step('correction', correct(lecturer, reader, scratch, made));
  await step('picks', pick(prober, '1 2'));
  await walk('closed');
  await step('release', release(lecturer, reader, [prober, keys, plain]));
  await walk('released');
  await step('next homework', next(lecturer, keys, made));
  // The stream of events is read by the pages, the description of the API by this test.
  await complete(reader.page, ['/c/{slug}/events', '/openapi.json']);
  for (const actor of [lecturer, reader, prober, keys, plain, late]) await actor.close();
  await server.stop();
}
