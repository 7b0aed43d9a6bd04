// Plots that can be saved: as they are drawn, as pixels, and as data.

const PIXELS = 3;

function svgText(figure) {
  const drawing = find('svg', figure).cloneNode(true);
  return `${new XMLSerializer().serializeToString(drawing)}\n`;
}

/** The plot on a canvas, in the colours of paper. */
function pngOf(figure) {
  const { width, height } = find('svg', figure).viewBox.baseVal;
  const source = new Blob([svgText(figure)], { type: 'image/svg+xml' });
  const url = URL.createObjectURL(source);
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => {
      const canvas = element('canvas', { width: Math.round(PIXELS * width), height: Math.round(PIXELS * height) });
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(url);
      canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('the canvas is too large'))), 'image/png');
    };
    image.onerror = () => reject(new Error('the plot cannot be drawn'));
    image.src = url;
  });
}

function makeExports(figure) {
  const plot = data.plots[Number(figure.dataset.plot)];
  const name = `cranfield-${plot.kind}`;
  const saves = {
    SVG: () => download(`${name}.svg`, svgText(figure), 'image/svg+xml'),
    PNG: async () => download(`${name}.png`, await pngOf(figure)),
    CSV: async () => download(`${name}.csv`, await unpack(plot.csv), 'text/csv'),
    'Vega-Lite': async () => download(`${name}.vl.json`, await unpack(plot.vega), 'application/json'),
  };
  const title = find('h3', figure).textContent;
  const buttons = Object.entries(saves).map(([format, save]) =>
    element('button', { type: 'button', 'aria-label': `Save ${title} as ${format}`, onclick: save }, format));
  find('.drawing', figure).after(element('div', { class: 'exports' }, ...buttons));
  showCells(figure, plot);
}

/** Shows run, topic and value of the cell of a heat map under the pointer. The rows of its data are in the order of cells. */
function showCells(figure, plot) {
  const cells = find('.cells', figure);
  if (!cells || find('title', cells)) return;
  const title = cells.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'title'));
  const [left, top, width, height, columns] = cells.dataset.grid.split(' ').map(Number);
  let rows;
  cells.addEventListener('pointermove', async event => {
    rows ??= (await unpack(plot.csv)).split('\n').slice(1);
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(cells.getScreenCTM().inverse());
    const row = rows[Math.floor((at.y - top) / height) * columns + Math.floor((at.x - left) / width)];
    const [, names, value] = row?.match(/^(.*),([^,]*)$/) ?? [];
    title.textContent = names ? `${names.replace(',', ', ')}: ${value ? rounded(Number(value)) : 'no value'}` : '';
  });
}
