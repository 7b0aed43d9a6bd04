// The claim about any two runs.

const claimState = { measure: 0, first: 0, second: 0 };

function claimText(pair) {
  const [, , verdict, says, butNot] = pair;
  return element('p', {}, element('span', { class: `verdict ${verdict}` }, verdict), ' ', says, ' ', element('span', { class: 'but' }, butNot));
}

async function showClaim() {
  const pairs = JSON.parse(await unpack(data.claims[claimState.measure]));
  const { first, second } = claimState;
  const pair = pairs.find(([a, b]) => (a === first && b === second) || (a === second && b === first));
  const none = first === second ? 'Choose two different runs.' : 'These runs were not compared: neither is a baseline.';
  find('#claim-text').replaceChildren(pair ? claimText(pair) : element('p', { class: 'quiet' }, none));
}

function startClaims() {
  const view = find('#claim-view');
  if (!view || !data.claims.length) return;
  [claimState.first, claimState.second] = data.measures[0].order;
  const names = data.runs.map((name, run) => [run, name]);
  const chosen = key => value => { claimState[key] = value; showClaim(); };
  const measures = data.claims.map((_, at) => [at, data.measures[at].name]);
  view.append(
    element('div', { class: 'pair' }, choice('Measure', measures, 0, chosen('measure')),
      choice('Run', names, claimState.first, chosen('first')), choice('Against', names, claimState.second, chosen('second'))),
    element('div', { id: 'claim-text', 'aria-live': 'polite' }));
  view.hidden = false;
  showClaim();
}
