import { CircleCheck, CircleX, SearchX } from "lucide-react";
import { useState, type FormEvent, type ReactNode } from "react";
import { useNavigate, useParams } from "react-router";
import { brand } from "@/domain/brand.ts";
import { paths, verificationPath } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { longDate, noonOf } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Wordmark } from "@/ui/rising-line.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { RevokeCertificate } from "../components/revoke-certificate.tsx";
import type { VerifiedCertificate } from "../model/certificate.ts";
import { useVerifiedCertificate } from "../queries.ts";
import { achievementStrings, certificateStrings } from "../strings.ts";

/** `/verify` and `/verify/{code}`: whether a certificate is real, for everyone who holds it. */
export function VerifyPage() {
  const { code = "" } = useParams();
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto grid w-full max-w-notice grid-cols-1 gap-8 px-4 py-10 focus:outline-none sm:px-8 sm:py-16"
    >
      <Wordmark name={brand.name} />
      {code === "" ? <CodeForm /> : <Verified key={code} code={code} />}
    </main>
  );
}

function CodeForm() {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const code = typed.replaceAll(/[\s-]/g, "");

  function submit(event: FormEvent) {
    event.preventDefault();
    if (code !== "") void navigate(verificationPath(code));
  }

  return (
    <form className="grid gap-5" onSubmit={submit}>
      <h1 className="display text-2xl sm:text-3xl">{certificateStrings.verifyTitle}</h1>
      <TextField
        label={certificateStrings.code}
        hint={certificateStrings.codeHint}
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" disabled={code === ""}>
        {certificateStrings.lookUp}
      </Button>
    </form>
  );
}

function Verified({ code }: { readonly code: string }) {
  const { role } = useSession();
  const { data, isError, isFetching, refetch } = useVerifiedCertificate(code);
  if (data) {
    return (
      <>
        <Answer certificate={data} />
        {role === "admin" && !data.is_revoked ? <RevokeCertificate code={code} /> : null}
      </>
    );
  }
  if (data === null) {
    return (
      <div className="grid justify-items-start gap-3">
        <SearchX aria-hidden className="size-8 text-muted" />
        <h1 className="display text-2xl sm:text-3xl">{certificateStrings.unknownCode}</h1>
        <p className="text-muted">{certificateStrings.unknownCodeText}</p>
        <TextLink to={paths.verify}>{certificateStrings.otherCode}</TextLink>
      </div>
    );
  }
  if (isError) {
    return (
      <LoadFailed
        title={achievementStrings.lookUpFailed}
        busy={isFetching}
        advice={achievementStrings.lookUpAdvice}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Loading label={certificateStrings.lookingUp} className="grid gap-4">
      <Skeleton className="h-10 w-64 max-w-full" />
      <Skeleton className="h-40" />
    </Loading>
  );
}

function Answer({ certificate }: { readonly certificate: VerifiedCertificate }) {
  const { name, course, mentor, completed_on: day, is_revoked: isRevoked } = certificate;
  return (
    <section className="grid gap-6">
      <div className="grid justify-items-start gap-3">
        {isRevoked ? (
          <CircleX aria-hidden className="size-8 text-danger" />
        ) : (
          <CircleCheck aria-hidden className="size-8 text-good" />
        )}
        <h1 className="display text-2xl sm:text-3xl">
          {isRevoked ? certificateStrings.revoked : certificateStrings.valid}
        </h1>
      </div>
      <dl className="grid gap-4 border-t border-line pt-6">
        <Fact name={certificateStrings.name}>
          <bdi>{name}</bdi>
        </Fact>
        <Fact name={certificateStrings.course}>
          <bdi>{course}</bdi>
        </Fact>
        <Fact name={certificateStrings.finishedOn}>{longDate(noonOf(day))}</Fact>
        {mentor === null ? null : (
          <Fact name={certificateStrings.mentor}>
            <bdi>{mentor}</bdi>
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="tabular text-lg break-words">{children}</dd>
    </div>
  );
}
