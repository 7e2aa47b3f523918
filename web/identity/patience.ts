const STEPS_MS = [1_000, 2_000, 4_000, 8_000]
const LONGEST_MS = 15_000

/** Waits longer after each failure, until something wakes it. */
export class Patience {
  #wake = () => {}

  pause(failures: number): Promise<void> {
    return new Promise((resolve) => {
      const alarm = setTimeout(resolve, STEPS_MS[failures] ?? LONGEST_MS)
      this.#wake = () => {
        clearTimeout(alarm)
        resolve()
      }
    })
  }

  wake(): void {
    this.#wake()
  }
}
