// Play, pause, step and pace of a simulation that runs now.

export interface SimulationItem {
  type: "simulation";
  paused: boolean;
  rate: number;
  run_to: number | null;
}

export class Transport {
  private isPaused = false;
  private readonly play: HTMLButtonElement;
  private readonly step: HTMLButtonElement;
  private readonly target: HTMLInputElement;
  private readonly pace: HTMLSelectElement;
  private readonly clock = document.createElement("output");

  constructor(private readonly place: HTMLElement, private readonly send: (message: object) => void) {
    const button = (text: string, title: string, act: () => void) => {
      const made = Object.assign(document.createElement("button"), { textContent: text, title, onclick: act });
      made.setAttribute("aria-label", title);
      return made;
    };
    this.play = button("❚❚", "Pause", () => this.toggle());
    this.step = button("▶❙", "One step", () => this.takeStep());
    this.clock.className = "clock";
    this.target = Object.assign(document.createElement("input"), { type: "number", step: "any", placeholder: "time" });
    this.target.setAttribute("aria-label", "time to run to, in seconds");
    const run = () => this.target.value !== "" && this.say("run_to", this.target.valueAsNumber);
    this.target.onkeydown = (event) => event.key === "Enter" && run();
    this.pace = document.createElement("select");
    this.pace.setAttribute("aria-label", "pace");
    for (const rate of [0, 0.1, 0.25, 0.5, 1, 2, 5]) this.pace.append(this.option(rate));
    this.pace.onchange = () => this.say("rate", Number(this.pace.value));
    const until = document.createElement("span");
    until.className = "until";
    until.append("Run to", this.target, "s", button("Go", "Run to that time", run));
    place.append(this.play, this.step, this.clock, until, this.pace);
  }

  private option(rate: number): HTMLOptionElement {
    return new Option(rate === 0 ? "as fast as it can" : `${rate}× real time`, `${rate}`);
  }

  private say(path: string, value?: number): void {
    this.send({ type: "simulation", path, ...(value === undefined ? {} : { value }) });
  }

  get isThere(): boolean {
    return !this.place.hidden;
  }

  set(item: SimulationItem | null): void {
    this.place.hidden = item === null;
    document.body.classList.toggle("has-transport", item !== null);
    if (!item) return;
    this.isPaused = item.paused;
    const title = item.paused ? "Play" : "Pause";
    this.play.textContent = item.paused ? "▶" : "❚❚";
    this.play.title = `${title} (space)`;
    this.play.setAttribute("aria-label", title);
    const rate = `${item.rate}`;
    if (![...this.pace.options].some((option) => option.value === rate)) this.pace.append(this.option(item.rate));
    this.pace.value = rate;
    this.place.classList.toggle("running-to", item.run_to !== null);
  }

  setTime(time: number): void {
    this.clock.textContent = `${time.toFixed(3)} s`;
  }

  /** True while a simulation runs. */
  get isPlaying(): boolean {
    return this.isThere && !this.isPaused;
  }

  toggle(): void {
    this.say(this.isPaused ? "play" : "pause");
  }

  takeStep(): void {
    this.say("step");
  }
}
