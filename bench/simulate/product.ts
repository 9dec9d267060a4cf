// The product of a simulation, in a process of its own, so that its processor time is told apart from that of the members.
import { leaveNothingRunning } from "../../tools/leave-nothing.mjs";
import { prepareTestProduct, startTestProduct } from "../../tests/support/backend-setup.ts";

leaveNothingRunning();
const removePrepared = await prepareTestProduct();
const { running, stop } = await startTestProduct();
process.stdout.write(`running ${JSON.stringify(running)}\n`);
process.once("SIGTERM", () => {
  void stop()
    .then(removePrepared)
    .then(() => process.exit(0));
});
