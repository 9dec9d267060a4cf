import { useUrlFilters } from "@/lib/url-filters.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Tabs } from "@/ui/tabs.tsx";
import { contentFilters } from "../model/filters.ts";
import { contentStrings } from "../strings.ts";
import { ItemsTab } from "../components/items-tab.tsx";
import { RoomsTab } from "../components/rooms-tab.tsx";
import { SubcategoriesTab } from "../components/subcategories-tab.tsx";

/** `/admindash/content`: the rooms and the library. */
export function ContentPage() {
  const [filters, setFilters] = useUrlFilters<keyof typeof contentFilters>(contentFilters);
  const props = { filters, setFilters };
  return (
    <div className="grid grid-cols-1 gap-2">
      <PageHeader title={contentStrings.title} intro={contentStrings.intro} />
      <Tabs
        label={contentStrings.parts}
        value={filters.part}
        onValueChange={(part) => setFilters({ ...contentFilters, part })}
        items={[
          { value: "rooms", label: contentStrings.rooms, content: <RoomsTab {...props} /> },
          {
            value: "subcategories",
            label: contentStrings.subcategories,
            content: <SubcategoriesTab {...props} />,
          },
          {
            value: "articles",
            label: contentStrings.articles,
            content: <ItemsTab shelf="articles" {...props} />,
          },
          {
            value: "courses",
            label: contentStrings.courses,
            content: <ItemsTab shelf="courses" {...props} />,
          },
        ]}
      />
    </div>
  );
}
