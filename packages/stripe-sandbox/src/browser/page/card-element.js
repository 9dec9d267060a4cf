import { newFrame } from "./card-frame.js";
import { FrameElement } from "./frame-element.js";

const cardFrameTitle = "Secure card payment input frame";
/** Below this width the card's fields take two lines; see the frame's style sheet. */
const narrowWidthPx = 340;
const cardFrameHeight = (width) => (width > 0 && width < narrowWidthPx ? "64px" : "28px");

/** Number, date and code of a card in one line. */
export class CardElement extends FrameElement {
  _elementType = "card";
  type = "card";

  newFrame(base, width) {
    return newFrame(`${base}/v3/elements/card.html`, cardFrameTitle, cardFrameHeight(width));
  }

  plainOptions({ style, hidePostalCode, hideIcon, iconStyle, disabled, value }) {
    return structuredClone({ style, hidePostalCode, hideIcon, iconStyle, disabled, value });
  }
}
