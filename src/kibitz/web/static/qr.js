// A text in, a QR code as SVG out (ISO/IEC 18004: bytes, error correction L), up to 2,953 bytes.

import { svg } from "./dom.js";

const ECC = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, ...Array(14).fill(30)];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25];
const MASKS = [(x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3, (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3), (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2];

// Codewords of a version, data and correction together: what its patterns leave of the square.
function codewords(version) {
  const aligned = Math.floor(version / 7) + 2;
  const bits = (16 * version + 128) * version + 64 - (version > 1 ? (25 * aligned - 10) * aligned - 55 : 0) - (version > 6 ? 36 : 0);
  return Math.floor(bits / 8);
}
const room = (version) => codewords(version) - ECC[version - 1] * BLOCKS[version - 1];

function times(a, b) { // in the field of 256 elements
  let product = 0;
  for (let i = 7; i >= 0; i--) product = (product << 1) ^ ((product >>> 7) * 0x11d) ^ (((b >>> i) & 1) * a);
  return product;
}
function correction(data, degree) { // the remainder by the generator, Reed and Solomon's code
  let generator = [...Array(degree - 1).fill(0), 1], root = 1;
  for (let i = 0; i < degree; i++, root = times(root, 2)) generator = generator.map((one, j) => times(one, root) ^ (generator[j + 1] ?? 0));
  const rest = Array(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    generator.forEach((one, i) => { rest[i] ^= times(one, factor); });
  }
  return rest;
}

function interleaved(bytes, version) {
  const bits = [], add = (value, count) => { for (let i = count - 1; i >= 0; i--) bits.push((value >>> i) & 1); };
  add(4, 4);
  add(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) add(byte, 8);
  add(0, Math.min(4, room(version) * 8 - bits.length));
  add(0, -bits.length & 7);
  for (let pad = 0xec; bits.length < room(version) * 8; pad ^= 0xec ^ 0x11) add(pad, 8);
  const data = Array.from({ length: bits.length / 8 }, (_, i) => bits.slice(8 * i, 8 * i + 8).reduce((sum, bit) => 2 * sum + bit, 0));
  const blocks = BLOCKS[version - 1], ecc = ECC[version - 1], total = codewords(version);
  const short = Math.floor(total / blocks) - ecc, long = total % blocks, made = [];
  for (let i = 0, at = 0; i < blocks; i++) { const size = short + (i >= blocks - long ? 1 : 0); made.push(data.slice(at, at + size)); at += size; }
  const rests = made.map((block) => correction(block, ecc));
  const inTurn = (lists, most) => Array.from({ length: most }, (_, i) => lists.map((list) => list[i])).flat().filter((one) => one !== undefined);
  return [...inTurn(made, short + 1), ...inTurn(rests, ecc)];
}

export function qrSquare(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const version = ECC.findIndex((_, i) => room(i + 1) * 8 >= 4 + (i < 9 ? 8 : 16) + 8 * bytes.length) + 1;
  if (!version) return null;
  const size = 17 + 4 * version;
  const dark = Array.from({ length: size }, () => Array(size).fill(false)), fixed = Array.from({ length: size }, () => Array(size).fill(false));
  const set = (x, y, bit) => { if (x >= 0 && y >= 0 && x < size && y < size) { dark[y][x] = Boolean(bit); fixed[y][x] = true; } };
  for (let i = 0; i < size; i++) { set(6, i, i % 2 === 0); set(i, 6, i % 2 === 0); }
  const rings = (cx, cy, radius, light) => { for (let y = -radius; y <= radius; y++) for (let x = -radius; x <= radius; x++) set(cx + x, cy + y, !light.includes(Math.max(Math.abs(x), Math.abs(y)))); };
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) rings(x, y, 4, [2, 4]);
  const count = version === 1 ? 0 : Math.floor(version / 7) + 2, step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const places = Array.from({ length: count }, (_, i) => (i ? size - 7 - (count - 1 - i) * step : 6));
  places.forEach((x, i) => places.forEach((y, j) => { if (!(i === 0 && j === 0 || i === 0 && j === count - 1 || i === count - 1 && j === 0)) rings(x, y, 2, [1]); }));
  const format = (mask) => {
    let rest = 8 | mask;
    for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
    const bits = (((8 | mask) << 10) | rest) ^ 0x5412, bit = (i) => (bits >>> i) & 1;
    for (let i = 0; i < 15; i++) {
      if (i < 6) set(8, i, bit(i)); else if (i < 8) set(8, i + 1, bit(i)); else set(i === 8 ? 7 : 14 - i, 8, bit(i));
      if (i < 8) set(size - 1 - i, 8, bit(i)); else set(8, size - 15 + i, bit(i));
    }
    set(8, size - 8, true);
  };
  format(0);
  if (version > 6) {
    let rest = version;
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    for (let i = 0; i < 18; i++) { const bit = (((version << 12) | rest) >>> i) & 1, a = size - 11 + (i % 3), b = Math.floor(i / 3); set(a, b, bit); set(b, a, bit); }
  }
  const data = interleaved(bytes, version);
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let i = 0; i < 2 * size; i++) {
      const x = right - (i % 2), row = i >> 1, y = (right + 1) & 2 ? row : size - 1 - row;
      if (!fixed[y][x] && at < 8 * data.length) { dark[y][x] = Boolean((data[at >> 3] >>> (7 - (at & 7))) & 1); at++; }
    }
  }
  const masked = (mask) => { format(mask); return dark.map((row, y) => row.map((bit, x) => bit !== (!fixed[y][x] && MASKS[mask](x, y) === 0))); };
  const tries = MASKS.map((_, mask) => masked(mask));
  return tries.reduce((best, one) => (blots(one) < blots(best) ? one : best));
}
// How hard a square is to read: long runs and plain blocks of one colour.
function blots(square) {
  let found = 0;
  square.forEach((row, y) => row.forEach((bit, x) => {
    if (x > 3 && [1, 2, 3, 4].every((i) => row[x - i] === bit)) found++;
    if (y > 3 && [1, 2, 3, 4].every((i) => square[y - i][x] === bit)) found++;
    if (x && y && row[x - 1] === bit && square[y - 1][x] === bit && square[y - 1][x - 1] === bit) found += 3;
  }));
  return found;
}

// The code as a picture: dark on light in either theme, with the quiet zone that readers need.
export function qrPicture(text, label) {
  const square = qrSquare(text);
  if (!square) return null;
  const path = square.map((row, y) => row.map((bit, x) => (bit ? `M${x + 4} ${y + 4}h1v1h-1z` : "")).join("")).join("");
  const wide = square.length + 8;
  return svg("svg", { class: "qr", viewBox: `0 0 ${wide} ${wide}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" }, svg("rect", { width: wide, height: wide, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
}
