import { useUrlFilters } from "@/lib/url-filters.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Tabs } from "@/ui/tabs.tsx";
import { EmailsPart } from "../components/emails-part.tsx";
import { LegalPart } from "../components/legal-part.tsx";
import { LevelsPart } from "../components/levels-part.tsx";
import { PlansPart } from "../components/plans-part.tsx";
import { settingsFilters } from "../model/filters.ts";
import { settingsStrings } from "../strings.ts";

/** `/admindash/settings`: what levels ask for, what is sold, what e-mails say, and what the law asks for. */
export function SettingsPage() {
  const [filters, setFilters] = useUrlFilters<keyof typeof settingsFilters>(settingsFilters);
  const props = { filters, setFilters };
  return (
    <div className="grid grid-cols-1 gap-2">
      <PageHeader title={settingsStrings.title} intro={settingsStrings.intro} />
      <Tabs
        label={settingsStrings.parts}
        value={filters.part}
        onValueChange={(part) => setFilters({ ...settingsFilters, part })}
        items={[
          { value: "levels", label: settingsStrings.levels, content: <LevelsPart {...props} /> },
          { value: "plans", label: settingsStrings.plans, content: <PlansPart /> },
          { value: "emails", label: settingsStrings.emails, content: <EmailsPart {...props} /> },
          { value: "legal", label: settingsStrings.legal, content: <LegalPart {...props} /> },
        ]}
      />
    </div>
  );
}
