/** Colours and features of a drawn portrait. */
interface Portrait {
  wall: string;
  /** The shape on the wall behind the person. */
  light: string;
  skin: string;
  hair: string;
  style: "short" | "bob" | "long" | "bun" | "curls" | "scarf" | "cap" | "bald";
  shirt: string;
  collar?: string;
  beard?: true;
  glasses?: true;
}

/** By first name. Members who are not listed show their initials. */
const portraits: Readonly<Record<string, Portrait>> = {
  Marcus: {
    wall: "#c9d2cf",
    light: "#e5e3d3",
    skin: "#8a5a3c",
    hair: "#191514",
    style: "short",
    shirt: "#39465a",
    collar: "#f1ede2",
    glasses: true,
  },
  Helen: {
    wall: "#b9cfd6",
    light: "#d9e4e2",
    skin: "#7c4d33",
    hair: "#1d1613",
    style: "curls",
    shirt: "#8c2f39",
    collar: "#d9b48f",
  },
  Tom: {
    wall: "#d8c3a0",
    light: "#ead9bd",
    skin: "#e2ab86",
    hair: "#6b4426",
    style: "short",
    shirt: "#2f5d50",
    beard: true,
  },
  Priya: {
    wall: "#e3cdbd",
    light: "#f0e0cf",
    skin: "#b67a52",
    hair: "#241a18",
    style: "long",
    shirt: "#1f6f78",
    collar: "#e9b44c",
  },
  Ingrid: {
    wall: "#bccbd9",
    light: "#dbe5ea",
    skin: "#f0c9ad",
    hair: "#d9b66f",
    style: "bob",
    shirt: "#29445c",
    collar: "#e8ded0",
  },
  Nadia: {
    wall: "#d3cfe0",
    light: "#e6e2ee",
    skin: "#c48c63",
    hair: "#4f4a86",
    style: "scarf",
    shirt: "#37335e",
  },
  Gareth: {
    wall: "#cfd6c0",
    light: "#e4e7d6",
    skin: "#ecbfa0",
    hair: "#b9b4aa",
    style: "bald",
    shirt: "#7a3b2e",
    beard: true,
    glasses: true,
  },
  Leila: {
    wall: "#ead0c4",
    light: "#f4e3d7",
    skin: "#d59f78",
    hair: "#2b1c17",
    style: "bun",
    shirt: "#b5523b",
    collar: "#f2d7c2",
  },
  Callum: {
    wall: "#c3d0c5",
    light: "#dfe6db",
    skin: "#f1c3a3",
    hair: "#b3562b",
    style: "short",
    shirt: "#274b7a",
    collar: "#e2b43b",
    beard: true,
  },
  Mei: {
    wall: "#dcd3c6",
    light: "#ece6da",
    skin: "#eec39c",
    hair: "#1b191c",
    style: "bob",
    shirt: "#23262b",
    glasses: true,
  },
  Seun: {
    wall: "#c8d6db",
    light: "#e2e9e6",
    skin: "#6a4029",
    hair: "#120f0e",
    style: "short",
    shirt: "#d08a2e",
    beard: true,
  },
  Hannah: {
    wall: "#e6d8b8",
    light: "#f3ead2",
    skin: "#f0c4a6",
    hair: "#8a4b2a",
    style: "bun",
    shirt: "#55707c",
    collar: "#f5efe3",
  },
  Beatrice: {
    wall: "#d5c9cf",
    light: "#e8dfe2",
    skin: "#efcbb2",
    hair: "#d8d5cf",
    style: "curls",
    shirt: "#5a3d5c",
    collar: "#e9dcc6",
    glasses: true,
  },
  Rafael: {
    wall: "#c7cfbf",
    light: "#dfe3d2",
    skin: "#cf9468",
    hair: "#2a1d17",
    style: "long",
    shirt: "#3c3f36",
    beard: true,
  },
  Arjun: {
    wall: "#bfd3c0",
    light: "#dbe7d5",
    skin: "#9b6540",
    hair: "#1c1614",
    style: "cap",
    shirt: "#4c6b3c",
  },
  Kofi: {
    wall: "#d9c7b4",
    light: "#ebdccb",
    skin: "#5c3723",
    hair: "#14100e",
    style: "short",
    shirt: "#f0ebe1",
    collar: "#c8bfae",
    glasses: true,
  },
};

const hairBehind: Readonly<Record<Portrait["style"], string>> = {
  short: "",
  bald: "",
  cap: "",
  bob: `<rect x="134" y="92" width="244" height="250" rx="112"/>`,
  long: `<path d="M138 210c0-160 236-160 236 0l14 236H124z"/>`,
  bun: `<circle cx="256" cy="84" r="52"/><rect x="150" y="104" width="212" height="180" rx="100"/>`,
  curls: `<circle cx="176" cy="160" r="58"/><circle cx="230" cy="118" r="58"/><circle cx="290" cy="120" r="58"/><circle cx="338" cy="164" r="58"/><circle cx="158" cy="228" r="50"/><circle cx="354" cy="230" r="50"/>`,
  scarf: `<path d="M136 230c0-180 240-180 240 0 0 90 30 170 40 230H96c10-60 40-140 40-230z"/>`,
};

const hairInFront: Readonly<Record<Portrait["style"], string>> = {
  short: `<path d="M160 222c-16-150 208-150 192 0-10-48-34-72-60-80-44 12-92 6-112-2-10 22-16 48-20 82z"/>`,
  bald: `<path d="M158 244c-6-40 0-66 12-84-4 30-4 54-2 84zM354 244c6-40 0-66-12-84 4 30 4 54 2 84z"/>`,
  cap: `<path d="M154 196c0-130 204-130 204 0z"/><rect x="150" y="184" width="262" height="22" rx="11"/>`,
  bob: `<path d="M158 236c-4-146 200-146 196 0-8-50-22-76-42-90-30 34-98 46-136 34-8 16-14 34-18 56z"/>`,
  long: `<path d="M158 240c-6-150 202-150 196 0-10-56-34-82-70-98-30 44-84 56-112 52-8 14-12 28-14 46z"/>`,
  bun: `<path d="M160 224c-4-136 196-136 192 0-20-62-56-84-96-84s-76 22-96 84z"/>`,
  curls: `<path d="M164 206c6-84 178-84 184 0-24-40-52-50-92-50s-68 10-92 50z"/>`,
  scarf: `<path d="M150 250c-6-190 218-190 212 0-4-78-44-110-106-110s-102 32-106 110zM188 318c30 44 106 44 136 0l22 62c-50 40-130 40-180 0z"/>`,
};

/** The portrait of a member as an SVG of 384 by 384 pixels; undefined for those who have none. */
export function drawPortrait(firstName: string): string | undefined {
  const drawn = portraits[firstName];
  if (!drawn) return undefined;
  const { wall, light, skin, hair, style, shirt, collar, beard, glasses } = drawn;
  const head = `<path d="M212 300h88v70c0 30-88 30-88 0z" fill="${skin}"/><ellipse cx="256" cy="232" rx="94" ry="112" fill="${skin}"/>`;
  const shade = `<path d="M212 336c24 18 64 18 88 0v16c-24 20-64 20-88 0z" fill="#000" opacity=".12"/>`;
  const chin = beard
    ? `<path d="M164 250c4 70 40 104 92 104s88-34 92-104c-14 34-36 46-92 46s-78-12-92-46z" fill="${hair}"/>`
    : "";
  const lenses = glasses
    ? `<g fill="none" stroke="#2b2b2e" stroke-width="6"><circle cx="216" cy="230" r="30"/><circle cx="296" cy="230" r="30"/><path d="M246 226c6-6 14-6 20 0"/></g>`
    : "";
  const neckline = collar
    ? `<path d="M196 368l60 56 60-56 22 14-82 92-82-92z" fill="${collar}"/>`
    : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" width="384" height="384" viewBox="0 0 512 512"><rect width="512" height="512" fill="${wall}"/><circle cx="330" cy="180" r="210" fill="${light}"/><g fill="${hair}">${hairBehind[style]}</g><path d="M56 512c0-112 90-152 200-152s200 40 200 152z" fill="${shirt}"/>${neckline}${head}${shade}${chin}<g fill="${style === "cap" ? shirt : hair}">${hairInFront[style]}</g>${lenses}</svg>`;
}
