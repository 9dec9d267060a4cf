import { Handshake } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { MembershipNotice, useEffectiveLevel } from "@/features/levels/index.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { useOnline } from "@/lib/use-online.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { OwnPactCard } from "../components/own-pact-card.tsx";
import { PactSection } from "../components/pact-section.tsx";
import { WitnessedPactCard } from "../components/witnessed-pact-card.tsx";
import type { MyPacts } from "../model/pact.ts";
import { useMyPacts } from "../queries.ts";
import { pactStrings } from "../strings.ts";

/** `/learning/pacts`: what the member has promised, and what others asked them to witness. */
export function PactsPage() {
  const online = useOnline();
  return (
    <div className="grid max-w-column grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title={pactStrings.title}
        intro={pactStrings.intro}
        actions={
          <Button asChild>
            <Link to={paths.newPact}>
              <Handshake aria-hidden className="size-4" />
              {pactStrings.make}
            </Link>
          </Button>
        }
      />
      {online ? null : (
        <Alert tone="warn" title={pactStrings.offlineTitle}>
          {pactStrings.offline}
        </Alert>
      )}
      <Pacts />
    </div>
  );
}

function Pacts() {
  const { data, isError, error, isFetching, refetch } = useMyPacts();
  const level = useEffectiveLevel();
  if (level.status === "ready" && level.current === 0) {
    return <MembershipNotice>{pactStrings.membersOnly}</MembershipNotice>;
  }
  if (!data) {
    return isError ? (
      <LoadFailed
        title={pactStrings.failed}
        busy={isFetching}
        advice={retryLaterMessage(error)}
        onRetry={() => void refetch()}
      />
    ) : (
      <Loading label={pactStrings.loading} className="grid gap-4">
        <Skeleton className="h-36" />
        <Skeleton className="h-36" />
      </Loading>
    );
  }
  return <Lists pacts={data} />;
}

function Lists({ pacts: { own, witnessing } }: { readonly pacts: MyPacts }) {
  const asked = witnessing.filter(({ accepted }) => !accepted);
  const accepted = witnessing.filter((pact) => pact.accepted);
  const witnessed = accepted.filter(({ closed_at: closedAt }) => closedAt !== null);
  const open = own.filter(({ closed_at: closedAt }) => closedAt === null);
  const over = own.filter(({ closed_at: closedAt }) => closedAt !== null);
  return (
    <div className="grid grid-cols-1 gap-10">
      <PactSection id="asked" title={pactStrings.asked} items={asked}>
        {(pact) => <WitnessedPactCard pact={pact} />}
      </PactSection>
      {own.length === 0 ? (
        <EmptyState
          title={pactStrings.emptyTitle}
          action={
            <Button asChild variant="secondary">
              <Link to={paths.newPact}>{pactStrings.make}</Link>
            </Button>
          }
        >
          {pactStrings.empty}
        </EmptyState>
      ) : null}
      <PactSection id="open" title={pactStrings.open} items={open}>
        {(pact) => <OwnPactCard pact={pact} />}
      </PactSection>
      <PactSection
        id="witnessing"
        title={pactStrings.witnessing}
        items={accepted.filter((pact) => !witnessed.includes(pact))}
      >
        {(pact) => <WitnessedPactCard pact={pact} />}
      </PactSection>
      <PactSection id="over" title={pactStrings.over} items={over}>
        {(pact) => <OwnPactCard pact={pact} />}
      </PactSection>
      <PactSection id="witnessed" title={pactStrings.witnessed} items={witnessed}>
        {(pact) => <WitnessedPactCard pact={pact} />}
      </PactSection>
    </div>
  );
}
