type IconName =
  "amex" | "diners" | "discover" | "jcb" | "mastercard" | "unionpay" | "unknown" | "visa";

const word = (text: string, fill: string, size: number): string =>
  `<text x="16" y="${10 + size * 0.36}" text-anchor="middle" font-family="Arial,Helvetica,sans-serif" font-weight="700" font-size="${size}" fill="${fill}">${text}</text>`;

const card = (fill: string): string => `<rect width="32" height="20" rx="3" fill="${fill}"/>`;

const icons: Record<IconName, string> = {
  unknown:
    '<rect x=".75" y=".75" width="30.5" height="18.5" rx="2.5" fill="none" stroke="#8792a2" stroke-width="1.5"/><rect y="5" width="32" height="3.5" fill="#8792a2"/><rect x="4" y="12.5" width="8" height="2" rx="1" fill="#8792a2"/>',
  visa: card("#1a3a8f") + word("VISA", "#ffffff", 10),
  mastercard:
    card("#252a34") +
    '<circle cx="13" cy="10" r="6" fill="#eb001b"/><circle cx="19" cy="10" r="6" fill="#f79e1b"/><path d="M16 4.8a6 6 0 0 1 0 10.4a6 6 0 0 1 0-10.4z" fill="#ff5f00"/>',
  amex: card("#0f6fcf") + word("AMEX", "#ffffff", 9),
  discover:
    `${card("#f2f3f5")}<circle cx="24" cy="13" r="5" fill="#f5821f"/>` + word("DISC", "#222a35", 8),
  diners:
    card("#ffffff") +
    '<circle cx="16" cy="10" r="7.5" fill="#0a5aa6"/><path d="M14 5.5v9a5 5 0 0 1 0-9zm4 0v9a5 5 0 0 0 0-9z" fill="#ffffff"/>',
  jcb:
    card("#ffffff") +
    '<rect x="5" y="3" width="6.5" height="14" rx="2" fill="#0e4c96"/><rect x="12.75" y="3" width="6.5" height="14" rx="2" fill="#bc1c2f"/><rect x="20.5" y="3" width="6.5" height="14" rx="2" fill="#187a3c"/>',
  unionpay:
    card("#ffffff") +
    '<path d="M7 2h7l-3 16H4z" fill="#d1222f"/><path d="M13 2h7l-3 16h-7z" fill="#10487d"/><path d="M19 2h7l-3 16h-7z" fill="#0e7c86"/>',
};

/** The picture named `brand-visa.svg` and the like, if there is one. */
export function brandIcon(file: string): string | undefined {
  const name = /^brand-([a-z]+)\.svg$/.exec(file)?.[1];
  if (name === undefined || !Object.hasOwn(icons, name)) return undefined;
  const drawing = icons[name as IconName];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 20" width="32" height="20">${drawing}</svg>`;
}
