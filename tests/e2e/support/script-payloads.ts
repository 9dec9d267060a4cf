/** What a payload would do if it ran; each trips one of the page's traps. */
const scripts = [
  "alert(1)",
  "window.__ran=1",
  "fetch('//canary.invalid/f')",
  "new Image().src='//canary.invalid/i'",
  "top['con'+'firm'](1)",
] as const;

/** Ways in: markup, attributes, addresses, templates, encodings and broken forms of them. */
const ways: readonly ((script: string) => string)[] = [
  (script) => `<script>${script}</script>`,
  (script) => `<SCRIPT >${script}</SCRIPT >`,
  (script) => `<script/a>${script}</script>`,
  (script) => `<scr<script>ipt>${script}</scr</script>ipt>`,
  (script) => `"><script>${script}</script>`,
  (script) => `'/><script>${script}</script>`,
  (script) => `</script><script>${script}</script>`,
  (script) => `</textarea><script>${script}</script>`,
  (script) => `</title></style><script>${script}</script>`,
  (script) => `<script type=module>${script}</script>`,
  (script) => `<script src="data:text/javascript,${encodeURIComponent(script)}"></script>`,
  (script) => `<img src=x onerror="${script}">`,
  (script) => `<img/src=x/onerror=${script}>`,
  (script) => `<IMG SRC=x OnErRoR="${script}"`,
  (script) => `<img src="data:image/png;base64,AA==" onload="${script}" onerror="${script}">`,
  (script) => `<image href=x onerror="${script}">`,
  (script) => `<svg onload="${script}">`,
  (script) => `<svg/onload=${script}//`,
  (script) => `<svg><script>${script}</script></svg>`,
  (script) => `<svg><animate onbegin="${script}" attributeName=x dur=1s>`,
  (script) => `<svg><a xlink:href="javascript:${script}"><text>x</text></a></svg>`,
  (script) => `<svg><foreignObject><iframe onload="${script}"></iframe></foreignObject></svg>`,
  (script) => `<math><mtext></form><form><mglyph><style></math><img src onerror="${script}">`,
  (script) => `<body onload="${script}">`,
  (script) => `<iframe src="javascript:${script}"></iframe>`,
  (script) => `<iframe srcdoc="<script>parent.${script}</script>"></iframe>`,
  (script) => `<iframe onload="${script}"></iframe>`,
  (script) => `<object data="javascript:${script}"></object>`,
  (script) => `<embed src="javascript:${script}">`,
  (script) => `<a href="javascript:${script}">press</a>`,
  (script) => `<a href="&#106;avascript&colon;${script}">press</a>`,
  (script) => `<details open ontoggle="${script}"><summary>x</summary></details>`,
  (script) => `<video><source onerror="${script}"></video>`,
  (script) => `<audio src=x onerror="${script}"></audio>`,
  (script) => `<input autofocus onfocus="${script}">`,
  (script) => `<select autofocus onfocus="${script}"></select>`,
  (script) => `<textarea autofocus onfocus="${script}"></textarea>`,
  (script) => `<b contenteditable autofocus onfocus="${script}" tabindex=1>x</b>`,
  (script) => `<marquee onstart="${script}">x</marquee>`,
  (script) => `<form><button formaction="javascript:${script}">x</button></form>`,
  (script) => `<form action="javascript:${script}"><input type=submit></form>`,
  (script) => `<link rel=stylesheet href="javascript:${script}">`,
  (script) => `<meta http-equiv=refresh content="0;url=javascript:${script}">`,
  (script) => `<base href="javascript:${script}//">`,
  (script) => `<style>@import "javascript:${script}";</style>`,
  (script) => `<style onload="${script}"></style>`,
  (script) => `<div style="background:url(javascript:${script})">x</div>`,
  (script) => `<p style="animation:fade 1ms" onanimationstart="${script}">x</p>`,
  (script) => `<p onmouseover="${script}" onpointerenter="${script}">x</p>`,
  (script) => `<template><script>${script}</script></template>`,
  (script) => `<noscript><p title="</noscript><img src=x onerror=${script}>">`,
  (script) => `<!--<img src="--><img src=x onerror=${script}>">`,
  (script) => `<![CDATA[<script>${script}</script>]]>`,
  (script) =>
    `<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">${script}</x:script>`,
  (script) => `javascript:${script}`,
  (script) => `JaVaScRiPt:${script}`,
  (script) => `java script:${script}`,
  (script) => `\u0001javascript:${script}`,
  (script) => `data:text/html,<script>${script}</script>`,
  (script) => `vbscript:${script}`,
  (script) => `[press](javascript:${script})`,
  (script) => `![x](x"onerror="${script})`,
  (script) => `<javascript:${script}>`,
  (script) => `[x]: javascript:${script}\n[x]`,
  (script) => `https://example.com/"onmouseover="${script}`,
  (script) => `https://example.com/'><script>${script}</script>`,
  (script) => `https://javascript:${script}@example.com/`,
  (script) => `http://example.com\\@javascript:${script}`,
  (script) => `{{constructor.constructor("${script}")()}}`,
  (script) => `\${${script}}`,
  (script) => `#{${script}} <%= ${script} %>`,
  (script) => `&lt;script&gt;${script}&lt;/script&gt;`,
  (script) => `\\u003cscript\\u003e${script}\\u003c/script\\u003e`,
  (script) => `%3Cscript%3E${script}%3C/script%3E`,
  (script) => `\uff1cscript\uff1e${script}\uff1c/script\uff1e`,
  (script) => `" autofocus onfocus="${script}" x="`,
  (script) => `' onclick='${script}' x='`,
  (script) => `\` onerror=\`${script}\``,
  (script) => `"};${script};//`,
  (script) => `');${script};//`,
  (script) => `</p><p onclick=${script}>\u202e<script>\u202c`,
  (script) =>
    `{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${script}>"},"__proto__":{}}`,
  // Markdown, of which messages show a part.
  (script) => `[press](<javascript:${script}>)`,
  (script) => `[press](&#106;avascript&colon;${script})`,
  (script) => `[press](java\tscript:${script})`,
  (script) => `[press](https://javascript:${script}@example.com)`,
  (script) => `![press](javascript:${script} "${script}")`,
  (script) => `[press](https://example.com "onmouseover=${script}")`,
  (script) => `[<img src=x onerror="${script}">](https://example.com)`,
  (script) => `**<img src=x onerror=${script}>** *<svg/onload=${script}>*`,
  (script) => `\`</code><script>${script}</script>\``,
  (script) => `\`\`\`js\n</code></pre><script>${script}</script>\n\`\`\``,
  (script) => `- <img src=x onerror=${script}>\n- [press](javascript:${script})`,
];

/** Every way in with every script: several hundred texts that must stay texts. */
export const scriptPayloads: readonly string[] = ways.flatMap((way) => scripts.map(way));

/** The payload without control characters, as names hold none. */
export const printable = (text: string) => text.replaceAll(/\p{Cc}/gu, " ");

/** What is planted together, in one row of each table. */
interface PayloadRow {
  /** A way in with one of the scripts, which take turns: for names, titles and other short fields. */
  readonly name: string;
  /** The same way in with every script, in paragraphs: for fields that take a longer text. */
  readonly text: string;
}

/** All payloads, one row for each way in. */
export const payloadRows: readonly PayloadRow[] = ways.map((way, place) => {
  const payloads = scripts.map(way);
  return { name: printable(payloads[place % scripts.length] ?? ""), text: payloads.join("\n\n") };
});
