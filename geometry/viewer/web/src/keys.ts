// Which keys are for the page and not for what has the focus, and their names.

/** The letter or digit on a key, "R" for the code "KeyR"; the code of another key. */
export function keyName(code: string): string {
  return code.replace(/^(Key|Digit)(?=.$)/, "");
}

// A field into which a person writes takes all keys.
function isWriting(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !["range", "checkbox", "button"].includes(target.type);
}

/** Whether the key is for the page: nobody writes, and it is no short cut of the browser, such as Ctrl+R. */
export function isForPage(event: KeyboardEvent): boolean {
  return !isWriting(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey;
}
