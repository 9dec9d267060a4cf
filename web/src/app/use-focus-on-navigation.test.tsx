import { act, render, screen, waitFor } from "@testing-library/react";
import { useEffect, useState } from "react";
import { MemoryRouter, useLocation, useNavigate, type NavigateFunction } from "react-router";
import { expect, it } from "vitest";
import { useFocusOnNavigation } from "./use-focus-on-navigation.ts";

/** What the page hands to its test. */
const page = { navigate: (() => undefined) as NavigateFunction, arrive: () => {} };

/** A page whose content comes when `arrive` is called, and at once at the first address. */
function Page({ withField = false }) {
  const { pathname } = useLocation();
  const [arrived, setArrived] = useState("/signin");
  useFocusOnNavigation();
  const navigate = useNavigate();
  useEffect(() => {
    Object.assign(page, { navigate, arrive: () => setArrived(pathname) });
  }, [navigate, pathname]);
  return (
    <>
      {withField ? <input aria-label="Search" /> : null}
      {arrived === pathname ? (
        <main id="main" tabIndex={-1} key={pathname}>
          {pathname}
        </main>
      ) : null}
    </>
  );
}

const open = async (content: React.ReactNode) => {
  render(<MemoryRouter initialEntries={["/signin"]}>{content}</MemoryRouter>);
  expect(screen.getByRole("main")).not.toHaveFocus();
  await act(async () => await page.navigate("/studentdash"));
  expect(screen.queryByRole("main")).not.toBeInTheDocument();
};

it("focuses content that comes after its page was opened", async () => {
  await open(<Page />);
  act(() => page.arrive());
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
});

it("leaves the focus where it went in the meantime", async () => {
  await open(<Page withField />);
  act(() => screen.getByLabelText("Search").focus());
  act(() => page.arrive());
  await screen.findByRole("main");
  await Promise.resolve();
  expect(screen.getByLabelText("Search")).toHaveFocus();
});
