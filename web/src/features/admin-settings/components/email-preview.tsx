import type { EmailSettings } from "../api/email-texts.ts";
import { emailSettingsStrings } from "../strings.ts";

/** What an e-mail says, with sample data. Every string is text. */
export function EmailPreview({ content }: { readonly content: EmailSettings["content"] }) {
  return (
    <section
      aria-label={emailSettingsStrings.preview}
      className="grid gap-3 rounded-card border border-line p-4 text-sm"
    >
      <p className="text-muted">
        {emailSettingsStrings.previewSubject} <span className="text-ink">{content.subject}</span>
      </p>
      <p className="display text-xl wrap-anywhere">{content.heading}</p>
      <p>{emailSettingsStrings.greeting}</p>
      {content.blocks.map((block, place) => {
        // The blocks of an e-mail have no names, and their places do not change.
        const key = `${place}`;
        switch (block.type) {
          case "paragraph":
            return (
              <p key={key} className="wrap-anywhere">
                {block.text}
              </p>
            );
          case "quote":
            return (
              <blockquote
                key={key}
                className="border-l-2 border-line pl-3 whitespace-pre-line text-muted"
              >
                {block.text}
              </blockquote>
            );
          case "facts":
            return (
              <dl key={key} className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
                {block.rows.map(([label, value]) => (
                  <div key={label} className="contents">
                    <dt className="text-muted">{label}</dt>
                    <dd className="text-right wrap-anywhere">{value}</dd>
                  </div>
                ))}
              </dl>
            );
          case "links":
            return (
              <ul key={key} className="grid list-disc gap-1 pl-5">
                {block.rows.map(({ text }) => (
                  <li key={text} className="wrap-anywhere underline">
                    {text}
                  </li>
                ))}
              </ul>
            );
        }
      })}
      {content.action ? <p className="font-medium">[{content.action.label}]</p> : null}
      <p className="text-muted">{emailSettingsStrings.because(content.because)}</p>
    </section>
  );
}
