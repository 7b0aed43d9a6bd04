// Names and files with markup in every place where users write (T19): shown as they are, and nothing of them is ever run.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Actor, PASSWORD, until } from './actor.mjs';
import { crawl } from './look.mjs';
import { serve } from './server.mjs';

const MARKUP = '<script>alert(1)</script>';
const HANDLER = '"onload="alert(2)" x="';
const LINK = 'javascript:alert(3)';
const IMAGE = '<img src=x onerror=alert(4)>';
const TEMPLATE = '{{7*7}}${7*7}</title></script>';

const at = minutes => new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 16);

export async function hostileNames(browser, scratch, made) {
  const server = await serve(scratch);
  const [lecturer, team] = [await Actor.enter(browser, server), await Actor.enter(browser, server)];
  await lecturer.go(server.setup);
  await lecturer.fill({ Login: 'prof', Name: MARKUP, Password: PASSWORD });
  await lecturer.press('Make the account');
  await lecturer.go('/new');
  await lecturer.fill({
    Address: 'markup', Judgements: made.qrels, Title: TEMPLATE, Summary: IMAGE, Rules: `${MARKUP}\n[x](${LINK})\n${HANDLER}`, Opens: at(-60), Closes: at(600),
  });
  await lecturer.press('Make a draft');
  await lecturer.press('Publish');
  await lecturer.go('/c/markup/admin/people');
  await lecturer.press('Make a code');
  await team.join(await lecturer.text('.code'), { team: MARKUP, login: 'mallory', name: HANDLER });
  const file = path.join(scratch, '<img src=x onerror=alert(5)>.run');
  fs.copyFileSync(made.runs.get('QL'), file);
  assert.equal(await team.submit('markup', file, LINK), 'scored');
  const broken = path.join(scratch, `${IMAGE}.txt`);
  fs.writeFileSync(broken, `1 Q0 ${MARKUP} 1 2 ${HANDLER.replaceAll(' ', '')}\n1 Q0 ${MARKUP} 2 1 x\n`);
  assert.equal(await team.submit('markup', broken, TEMPLATE), 'invalid');
  for (const [name, actor] of Object.entries({ lecturer, team })) {
    await actor.go('/');
    await crawl(actor.page, '/', `markup-${name}`);
  }
  await until(() => team.board('markup'), board => board.has(MARKUP));
  await team.go('/c/markup/board');
  assert.ok((await team.text('#board')).includes(MARKUP));
  assert.ok((await team.text('h1')).includes(TEMPLATE));
  await lecturer.close();
  await team.close();
  await server.stop();
  console.log('markup: nothing is run');
}
