import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { Wordmark } from "@/ui/rising-line.tsx";
import type { LandingData } from "../model/landing-data.ts";
import { smallPrint } from "../strings/questions.ts";
import { landingStrings } from "../strings.ts";
import { Measure } from "./section.tsx";

/** The ways in, the small print, and links to it. */
export function LandingFooter({ seller, plans }: Pick<LandingData, "seller" | "plans">) {
  const texts = smallPrint(plans);
  return (
    <footer className="border-t border-line bg-sunken">
      <Measure className="grid gap-12 py-12 sm:py-16">
        <div className="grid gap-10 sm:grid-cols-2 lg:grid-cols-3">
          {texts.map((text) => (
            <section key={text.id} id={text.id} className="grid content-start gap-2">
              <h2 className="font-semibold">{text.title}</h2>
              <p className="text-sm text-muted">{text.text}</p>
              {text.link ? (
                <p className="text-sm">
                  <a
                    className="inline-flex min-h-6 items-center underline decoration-control-line underline-offset-4 hover:decoration-ink"
                    href={text.link.href}
                  >
                    {text.link.words}
                  </a>
                </p>
              ) : null}
              {text.email ? (
                <p className="text-sm">
                  <a
                    className="inline-flex min-h-6 items-center underline decoration-control-line underline-offset-4 hover:decoration-ink"
                    href={`mailto:${text.email}`}
                  >
                    {text.email}
                  </a>
                </p>
              ) : null}
            </section>
          ))}
          {seller === null ? null : (
            <section className="grid content-start gap-2">
              <h2 className="font-semibold">{landingStrings.seller}</h2>
              <address className="grid text-sm text-muted not-italic wrap-anywhere">
                {[
                  seller.name,
                  ...seller.address,
                  ...(seller.companyNumber === null
                    ? []
                    : [landingStrings.company(seller.companyNumber)]),
                  ...(seller.vatNumber === null ? [] : [landingStrings.vat(seller.vatNumber)]),
                ].map((line, place) => (
                  <span key={`${place} ${line}`}>{line}</span>
                ))}
              </address>
            </section>
          )}
        </div>
        <div className="flex flex-col gap-8 border-t border-line pt-8 lg:flex-row lg:items-center lg:justify-between">
          <Wordmark name={brand.name} />
          <nav aria-label={landingStrings.footer}>
            <ul className="flex flex-wrap gap-x-6">
              {texts.map(({ id, title }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    className="inline-flex min-h-11 items-center text-sm text-muted underline-offset-4 hover:text-ink hover:underline"
                  >
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="flex flex-wrap gap-3">
            <Button asChild variant="secondary">
              <a href={paths.auth}>{landingStrings.signUpOrIn}</a>
            </Button>
            <Button asChild variant="quiet">
              <a href={paths.adminSignIn}>{landingStrings.adminSignIn}</a>
            </Button>
          </div>
        </div>
      </Measure>
    </footer>
  );
}
