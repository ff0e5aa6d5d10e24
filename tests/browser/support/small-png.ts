import { deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Number of colours of a palette. */
const COLOURS = 256;
/** Colour type of an image with three samples per pixel, and of one with four. */
const SAMPLES: Record<number, number> = { 2: 3, 6: 4 };
const PALETTE = 3;

/** A screenshot with at most 256 colours: the most frequent ones, and for the others the nearest of them. */
export function smallPng(png: Buffer): Buffer {
  const parts = chunks(png);
  const header = parts.find(({ name }) => name === "IHDR")!.data;
  const [width, height, samples] = [header.readUInt32BE(0), header.readUInt32BE(4), SAMPLES[header[9]]];
  if (header[8] !== 8 || samples === undefined || header[12] !== 0) throw new Error("not a screenshot of Chromium");
  const data = Buffer.concat(parts.filter(({ name }) => name === "IDAT").map(({ data }) => data));
  const pixels = unfiltered(inflateSync(data), width * samples, height, samples);

  const counts = new Map<number, number>();
  const colourAt = (at: number) => pixels.readUIntBE(at * samples, 3);
  for (let at = 0; at < width * height; at++) counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1);
  const palette = [...counts].sort((one, other) => other[1] - one[1]).slice(0, COLOURS).map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < width * height; at++) {
    const colour = colourAt(at);
    if (!places.has(colour)) places.set(colour, nearest(colour, palette));
    rows[at + Math.floor(at / width) + 1] = places.get(colour)!;
  }
  const colours = Buffer.concat(palette.map((colour) => Buffer.from([colour >> 16, (colour >> 8) & 255, colour & 255])));
  header[9] = PALETTE;
  const told = [chunk("IHDR", header), chunk("PLTE", colours), chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 }))];
  return Buffer.concat([SIGNATURE, ...told, chunk("IEND", Buffer.alloc(0))]);
}

function nearest(colour: number, palette: number[]): number {
  const distance = (other: number) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  let best = 0;
  for (let place = 1; place < palette.length; place++) {
    if (distance(palette[place]) < distance(palette[best])) best = place;
  }
  return best;
}

/** Samples of an image, without the filters of its lines. */
function unfiltered(data: Buffer, length: number, height: number, samples: number): Buffer {
  const pixels = Buffer.alloc(length * height);
  for (let line = 0; line < height; line++) {
    const filter = data[line * (length + 1)];
    for (let at = 0; at < length; at++) {
      const to = line * length + at;
      const left = at >= samples ? pixels[to - samples] : 0;
      const up = line > 0 ? pixels[to - length] : 0;
      const corner = at >= samples && line > 0 ? pixels[to - length - samples] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[to] = data[line * (length + 1) + 1 + at] + guess;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function chunks(png: Buffer): { name: string; data: Buffer }[] {
  const found = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    found.push({ name: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return found;
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(checksum(named));
  return Buffer.concat([length, named, check]);
}

/** CRC-32 as PNG has it. */
function checksum(data: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
