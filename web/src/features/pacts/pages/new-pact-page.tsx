import { ArrowLeft } from "lucide-react";
import { Link, useNavigate } from "react-router";
import { paths } from "@/domain/paths.ts";
import { MembershipNotice } from "@/features/levels/index.ts";
import { Button } from "@/ui/button.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { toast } from "@/ui/toast.tsx";
import { PactForm } from "../components/pact-form.tsx";
import { pactStrings } from "../strings.ts";

/** `/learning/pacts/new`: the form, and on success the way to the list. */
export function NewPactPage() {
  const navigate = useNavigate();
  return (
    <div className="grid max-w-column grid-cols-1 gap-6">
      <div>
        <Button asChild variant="quiet" size="sm" className="-ml-3">
          <Link to={paths.pacts}>
            <ArrowLeft aria-hidden className="size-4" />
            {pactStrings.all}
          </Link>
        </Button>
      </div>
      <PageHeader className="pb-0" title={pactStrings.make} intro={pactStrings.newIntro} />
      <MembershipNotice>{pactStrings.membersOnly}</MembershipNotice>
      <PactForm
        onMade={() => {
          toast.good(pactStrings.made);
          void navigate(paths.pacts);
        }}
      />
    </div>
  );
}
