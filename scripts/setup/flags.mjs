import { capture, NODE } from './child.mjs'

/** Returns the arguments of Node.js without the flags, if it does not take them: those of V8 may be renamed, and the server works without them. */
export async function withTakenFlags(args) {
  const flags = args.filter((argument) => argument.startsWith('--'))
  const { code, output } = await capture(NODE, [...flags, '--version'])
  if (code === 0) return args
  console.warn(
    `Starting without flags that bound the memory, because Node.js does not take them: ${output.trim()}`,
  )
  return args.filter((argument) => !flags.includes(argument))
}
