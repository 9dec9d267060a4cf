/** Stylesheet of the inbox pages, for light and dark colour schemes. */
export const inboxStyle = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; margin-top: 2rem; }
ul { list-style: none; padding: 0; }
li { padding: 0.75rem 0; border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
li a { display: block; font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { width: 100%; height: 24rem; border: 1px solid color-mix(in srgb, currentColor 30%, transparent); background: white; }
a { color: LinkText; }
a:focus-visible { outline: 3px solid; outline-offset: 2px; }
`;
