import { act, render, screen, waitFor } from "@testing-library/react";
import { useEffect, useState } from "react";
import { MemoryRouter, useLocation, useNavigate, type NavigateFunction } from "react-router";
import { expect, it } from "vitest";
import { useFocusOnNavigation } from "./use-focus-on-navigation.ts";

let navigate: NavigateFunction = () => undefined;
let arrive = () => {};

/** A page whose content comes when `arrive` is called, and at once at the first address. */
function Page({ withField = false }) {
  const { pathname } = useLocation();
  const [arrived, setArrived] = useState("/signin");
  useFocusOnNavigation();
  const go = useNavigate();
  useEffect(() => {
    navigate = go;
    arrive = () => setArrived(pathname);
  }, [go, pathname]);
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

const open = async (page: React.ReactNode) => {
  render(<MemoryRouter initialEntries={["/signin"]}>{page}</MemoryRouter>);
  expect(screen.getByRole("main")).not.toHaveFocus();
  await act(async () => await navigate("/studentdash"));
  expect(screen.queryByRole("main")).not.toBeInTheDocument();
};

it("focuses content that comes after its page was opened", async () => {
  await open(<Page />);
  act(() => arrive());
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
});

it("leaves the focus where it went in the meantime", async () => {
  await open(<Page withField />);
  act(() => screen.getByLabelText("Search").focus());
  act(() => arrive());
  await screen.findByRole("main");
  await Promise.resolve();
  expect(screen.getByLabelText("Search")).toHaveFocus();
});
