import { toast } from '#web/ui/feedback/toast.tsx'

let count = 0
let hide = () => {}

/** A change that waits for the connection. While there are any, a message says so. */
export class Waiting {
  #isWaiting = false

  begin(): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    count += 1
    if (count === 1) hide = toast.lasting('Not saved yet: waiting for the connection…')
  }

  end(): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    count -= 1
    if (count === 0) hide()
  }
}
