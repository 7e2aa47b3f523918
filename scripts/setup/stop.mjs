/** A reason to end a command that a person can act on: its message is one sentence. */
export class Stop extends Error {}

const OLDEST_NODE = 20

/** Runs a command's work; a Stop is told as its sentence alone. */
export async function command(work) {
  try {
    if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE)
      throw new Stop(
        `Milepost needs Node.js ${OLDEST_NODE} or later to start and this is ${process.version}: install a newer one from nodejs.org.`,
      )
    process.exitCode = await work()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
