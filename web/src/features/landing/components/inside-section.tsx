import { salePath } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import type { LandingData, ShownPerson } from "../model/landing-data.ts";
import { insideStrings } from "../strings.ts";
import { Face } from "./face.tsx";
import { LandingSection } from "./section.tsx";

/** What there is, counted, who is behind it, and one lesson to read at once. */
export function InsideSection({ data }: { readonly data: LandingData }) {
  const { counts, portraits, host, freeLesson } = data;
  const shown = (["rooms", "articles", "courses", "mentors"] as const).filter(
    (name) => counts[name] > 0,
  );
  return (
    <LandingSection title={insideStrings.title} intro={insideStrings.intro}>
      <div className="grid gap-10">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-8 sm:flex sm:flex-wrap sm:gap-x-16">
          {shown.map((name) => (
            <div key={name} className="flex flex-col-reverse">
              <dt className="text-muted">{insideStrings[name](counts[name])}</dt>
              <dd className="display text-4xl">{counts[name].toLocaleString("en-GB")}</dd>
            </div>
          ))}
        </dl>
        <div className="grid gap-5 lg:grid-cols-2">
          {freeLesson === null ? null : (
            <div
              data-accent="business"
              className="grid gap-4 self-start rounded-card border border-line bg-raised p-6 sm:p-8"
            >
              <p className="text-sm font-semibold text-accent">{insideStrings.free}</p>
              <h3 className="display text-2xl wrap-anywhere">{freeLesson.lesson}</h3>
              <p className="text-muted wrap-anywhere">
                {insideStrings.lesson(freeLesson.course, freeLesson.mentor)}
              </p>
              <div>
                <Button asChild variant="secondary">
                  <a href={salePath(freeLesson.slug)}>{insideStrings.open}</a>
                </Button>
              </div>
            </div>
          )}
          <div className="grid content-start gap-8 p-1 sm:p-2">
            {host === null ? null : (
              <section className="grid gap-3">
                <h3 className="text-sm font-semibold">{insideStrings.host}</h3>
                <PersonLine person={host} size={72} />
                {host.about.map((paragraph) => (
                  <p key={paragraph} className="max-w-prose text-muted wrap-anywhere">
                    {paragraph}
                  </p>
                ))}
              </section>
            )}
            {portraits.length === 0 ? null : (
              <section className="grid gap-4">
                <h3 className="text-sm font-semibold">{insideStrings.sellers}</h3>
                <ul className="grid gap-4 sm:grid-cols-2">
                  {portraits.map((mentor) => (
                    <li key={`${mentor.name} ${mentor.picture}`}>
                      <PersonLine person={mentor} size={52} />
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </div>
        </div>
      </div>
    </LandingSection>
  );
}

function PersonLine({ person, size }: { readonly person: ShownPerson; readonly size: number }) {
  return (
    <div className="flex items-center gap-3">
      <Face name={person.name} picture={person.picture} size={size} />
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{person.name}</p>
        <p className="text-sm text-muted wrap-anywhere">{person.occupation}</p>
      </div>
    </div>
  );
}
