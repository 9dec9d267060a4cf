import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { BrowserRouter, useLocation } from "react-router";
import { expect, it } from "vitest";
import { useUrlFilters } from "./url-filters.ts";

const defaults = { search: "", status: "all" };

function Filters() {
  const [filters, setFilters] = useUrlFilters(defaults);
  const { search } = useLocation();
  return (
    <>
      <output>{`${filters.search}|${filters.status}|${search}`}</output>
      <button type="button" onClick={() => setFilters({ status: "paying" })}>
        Paying
      </button>
      <button type="button" onClick={() => setFilters({ status: "all", search: "ann" })}>
        Ann
      </button>
      <button
        type="button"
        onClick={() => {
          setFilters({ search: "ben" });
          setFilters({ status: "paying" });
        }}
      >
        Ben, then paying
      </button>
    </>
  );
}

function open(address: string) {
  window.history.pushState(null, "", address);
  render(
    <BrowserRouter>
      <Filters />
    </BrowserRouter>,
  );
}

it("keeps filters in the address, without those at their default, and leaves others alone", async () => {
  open("/members?open=7");
  expect(screen.getByRole("status")).toHaveTextContent("|all|?open=7");
  await userEvent.click(screen.getByRole("button", { name: "Paying" }));
  expect(screen.getByRole("status")).toHaveTextContent("|paying|?open=7&status=paying");
  await userEvent.click(screen.getByRole("button", { name: "Ann" }));
  expect(screen.getByRole("status")).toHaveTextContent("ann|all|?open=7&search=ann");
});

it("loses none of two changes before the next render", async () => {
  open("/members?open=7");
  await userEvent.click(screen.getByRole("button", { name: "Ben, then paying" }));
  expect(screen.getByRole("status")).toHaveTextContent(
    "ben|paying|?open=7&search=ben&status=paying",
  );
});

it("makes no step of Back of what the address says already", async () => {
  open("/members?open=7");
  const before = window.history.length;
  await userEvent.click(screen.getByRole("button", { name: "Paying" }));
  await userEvent.click(screen.getByRole("button", { name: "Paying" }));
  expect(window.history.length).toBe(before + 1);
});
