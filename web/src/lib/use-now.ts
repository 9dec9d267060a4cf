import { useEffect, useState } from "react";
import { systemClock } from "./clock.ts";

const minuteMs = 60_000;

/** The time as of the last full minute one looked, so that `5 minutes ago` stays true. */
export function useNow(): number {
  const [now, setNow] = useState(() => systemClock.now());
  useEffect(() => {
    let callOff = () => {};
    const wait = () => {
      callOff = systemClock.after(minuteMs, () => {
        setNow(systemClock.now());
        wait();
      });
    };
    wait();
    return () => callOff();
  }, []);
  return now;
}
