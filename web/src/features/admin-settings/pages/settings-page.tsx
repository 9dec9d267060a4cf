import { useUrlFilters } from "@/lib/url-filters.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Tabs } from "@/ui/tabs.tsx";
import { EmailsPart } from "../components/emails-part.tsx";
import { LevelsPart } from "../components/levels-part.tsx";
import { PlansPart } from "../components/plans-part.tsx";
import { settingsFilters } from "../model/filters.ts";

/** `/admindash/settings`: what levels ask for, what is sold, and what e-mails say. */
export function SettingsPage() {
  const [filters, setFilters] = useUrlFilters<keyof typeof settingsFilters>(settingsFilters);
  const props = { filters, setFilters };
  return (
    <div className="grid grid-cols-1 gap-2">
      <PageHeader title="Settings" intro="Every change is in the audit log." />
      <Tabs
        label="Parts of the settings"
        value={filters.part}
        onValueChange={(part) => setFilters({ ...settingsFilters, part })}
        items={[
          { value: "levels", label: "Levels", content: <LevelsPart {...props} /> },
          { value: "plans", label: "Plans", content: <PlansPart /> },
          { value: "emails", label: "Emails", content: <EmailsPart {...props} /> },
        ]}
      />
    </div>
  );
}
