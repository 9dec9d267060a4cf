import { brand } from "@/domain/brand.ts";
import { levels } from "@/domain/levels.ts";
import { longDate, noonOf } from "@/lib/format-time.ts";
import { RisingLine, Wordmark } from "@/ui/rising-line.tsx";
import { groupedCode, type Certificate } from "../model/certificate.ts";
import { certificateStrings } from "../strings.ts";
import "./certificate.css";

/** The certificate itself: one A4 page across, on the screen and on paper. */
export function CertificateSheet({
  certificate,
  address,
}: {
  readonly certificate: Certificate;
  /** Where it is verified. */
  readonly address: string;
}) {
  const { name, course, mentor, completed_on: day, code } = certificate;
  return (
    <article aria-label={certificateStrings.sheetLabel(course)} className="certificate">
      <Wordmark name={brand.name} className="certificate-brand" />
      <div className="certificate-words">
        <p className="certificate-small">{certificateStrings.certifies}</p>
        <p className="certificate-name display" data-long={name.length > 36}>
          <bdi>{name}</bdi>
        </p>
        <p className="certificate-small">{certificateStrings.hasFinished}</p>
        <h1 className="certificate-course display" data-long={course.length > 60}>
          <bdi>{course}</bdi>
        </h1>
      </div>
      <RisingLine steps={levels} className="certificate-line" />
      <dl className="certificate-facts">
        <div>
          <dt>{certificateStrings.finishedOn}</dt>
          <dd>{longDate(noonOf(day))}</dd>
        </div>
        {/* The house's own courses have none. */}
        {mentor === null ? null : (
          <div>
            <dt>{certificateStrings.mentor}</dt>
            <dd>
              <bdi>{mentor}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{certificateStrings.verifyAt(address)}</dt>
          <dd className="certificate-code">{groupedCode(code)}</dd>
        </div>
      </dl>
    </article>
  );
}
