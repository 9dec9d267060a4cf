/** Stands in for XMLHttpRequest: a test says how far each upload gets and how it ends. */
export class FakeUpload extends EventTarget {
  static all: FakeUpload[] = [];
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  address = "";
  body: unknown = null;
  status = 0;
  responseText = "";

  open(_method: string, address: string) {
    this.address = address;
    FakeUpload.all.push(this);
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(body: unknown) {
    this.body = body;
  }
  abort() {
    this.dispatchEvent(new Event("abort"));
  }
  progress(loaded: number, total: number) {
    this.upload.dispatchEvent(Object.assign(new Event("progress"), { loaded, total }));
  }
  answer(status: number, body: object) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.dispatchEvent(new Event("load"));
  }
}
