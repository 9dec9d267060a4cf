import "ws";

// ws exports `Sender`, but its published types leave it out.
declare module "ws" {
  export const Sender: {
    /** Header and payload of one frame, as buffers to write in this order. */
    frame: (
      data: Buffer,
      options: { opcode: number; fin: boolean; rsv1: boolean; mask: false; readOnly: boolean },
    ) => [header: Buffer, payload: Buffer];
  };
}
