// A server with an empty data folder.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { program } from '../browser.mjs';

/** Starts `cranfield serve`. Returns its address, the link that makes the first account, and a function that stops it. */
export async function serve(scratch, ...more) {
  const data = path.join(scratch, `data-${process.hrtime.bigint()}`);
  const server = spawn(program, ['serve', '--data', data, '--listen', '127.0.0.1:0', ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
  process.once('exit', () => server.kill('SIGKILL'));
  const log = [];
  createInterface({ input: server.stderr }).on('line', line => log.push(line));
  const printed = {};
  for await (const line of createInterface({ input: server.stdout })) {
    const [, what, url] = line.match(/^(Campaigns are|Make the first account) at (\S+)$/) ?? [];
    if (what) printed[what] = url;
    if (line.startsWith('Stop with')) break;
  }
  if (!printed['Campaigns are']) throw new Error(`the server did not start: ${log.join('\n')}`);
  server.stdout.resume();
  return {
    address: printed['Campaigns are'].replace(/\/$/, ''),
    setup: printed['Make the first account'],
    data,
    log,
    async stop() {
      server.kill('SIGTERM');
      const [code] = await once(server, 'exit');
      if (code !== 0) throw new Error(`the server ended with ${code}: ${log.join('\n')}`);
    },
  };
}
