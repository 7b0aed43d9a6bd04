// The stories of a campaign in Chromium: a lecturer, three teams and a reader, from an empty server to the grades.
//
// CRANFIELD_BIN is the program, CHROMIUM the browser, CRANFIELD_SHARED the folder with the Vaswani collection; without it, the bundled
// collection is used. What must hold on every page is in campaign/look.mjs. Screenshots go to target/browser/campaign.

import assert from 'node:assert/strict';
import { withBrowser } from './browser.mjs';
import { homework } from './campaign/homework.mjs';
import { hostileNames } from './campaign/hostile.mjs';
import { faults } from './campaign/look.mjs';
import { makeRuns } from './campaign/runs.mjs';

await withBrowser(async (browser, scratch) => {
  const made = makeRuns(scratch);
  for (const story of [homework, hostileNames]) await story(browser, scratch, made);
});
assert.deepEqual(faults, []);
console.log('campaigns: all well');
