/** Colours of a landscape from the sky to the nearest hill. */
export interface Landscape {
  readonly sky: readonly [top: string, bottom: string];
  readonly sun: string;
  readonly hills: readonly [string, string, string];
}

/** Mentors' own texts with a picture as their cover, by title. */
export const coveredTexts: readonly { readonly title: string; readonly landscape: Landscape }[] = [
  {
    title: "The Month That Hasn't Happened Yet",
    landscape: {
      sky: ["#26456e", "#f3b184"],
      sun: "#ffe3b0",
      hills: ["#8a6f8f", "#5d5480", "#342f57"],
    },
  },
  {
    title: "The Email You Are Avoiding",
    landscape: {
      sky: ["#9fc6c9", "#f4ead2"],
      sun: "#fff7df",
      hills: ["#7fa08f", "#4f7a6b", "#2b4f47"],
    },
  },
];

/** A sunrise over hills, 1600 × 900, as an SVG. */
export function drawLandscape({ sky, sun, hills }: Landscape): string {
  const [far, middle, near] = hills;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900" viewBox="0 0 1600 900">
<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky[0]}"/><stop offset="0.8" stop-color="${sky[1]}"/></linearGradient></defs>
<rect width="1600" height="900" fill="url(#sky)"/>
<circle cx="1080" cy="520" r="150" fill="${sun}"/>
<path d="M0 600C250 470 420 640 680 560S1150 470 1600 610V900H0Z" fill="${far}"/>
<path d="M0 720C300 590 560 760 860 680S1320 600 1600 700V900H0Z" fill="${middle}"/>
<path d="M0 820C350 700 640 880 980 800S1400 760 1600 830V900H0Z" fill="${near}"/>
</svg>`;
}
