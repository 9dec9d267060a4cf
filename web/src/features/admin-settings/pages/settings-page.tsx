import { useUrlFilters } from "@/lib/url-filters.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Tabs } from "@/ui/tabs.tsx";
import { EmailsTab } from "../components/emails-tab.tsx";
import { LandingTab } from "../components/landing-tab.tsx";
import { LegalTab } from "../components/legal-tab.tsx";
import { LevelsTab } from "../components/levels-tab.tsx";
import { PlansTab } from "../components/plans-tab.tsx";
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
          { value: "levels", label: settingsStrings.levels, content: <LevelsTab {...props} /> },
          { value: "plans", label: settingsStrings.plans, content: <PlansTab /> },
          { value: "emails", label: settingsStrings.emails, content: <EmailsTab {...props} /> },
          { value: "landing", label: settingsStrings.landing, content: <LandingTab /> },
          { value: "legal", label: settingsStrings.legal, content: <LegalTab {...props} /> },
        ]}
      />
    </div>
  );
}
