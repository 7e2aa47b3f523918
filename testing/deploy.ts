import { readFile } from 'node:fs/promises'

/** The folder of the configuration templates for operators. */
export const DEPLOY = new URL('../deploy/', import.meta.url)

/** The command in the comment of a template: the variables that envsubst replaces (undefined: all of them), and the file that it writes. */
export type TemplateCommand = { command: string; names: string[] | undefined; target: string }

/** Reads a file of `deploy/`. */
export const readDeployFile = (name: string) => readFile(new URL(name, DEPLOY), 'utf8')

/** Finds the command in the head of a template that renders it. */
export function templateCommand(name: string, template: string): TemplateCommand {
  const found = /^[#;]\s+(envsubst(?: "\$\(printf '\$%s ' ([\w ]+)\)")? < (\S+) > (\S+))$/m.exec(template)
  const [, command, names, source, target] = found ?? []
  if (command === undefined || target === undefined || source !== name)
    throw new Error(`the comment of ${name} does not say how it is rendered`)
  return { command, names: names?.split(' '), target }
}

/** Renders a template of `deploy/` as the command in its comment would, without needing envsubst. */
export async function renderTemplate(name: string, variables: Record<string, string>): Promise<string> {
  const template = await readDeployFile(name)
  return substitute(template, variables, templateCommand(name, template).names)
}

/** Does what `envsubst` does: an unset variable is replaced by nothing, and so is every `$word` unless names are given. */
export function substitute(
  text: string,
  variables: Record<string, string>,
  names: string[] | undefined,
): string {
  return text.replaceAll(
    /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g,
    (match, bare: string, braced: string) => {
      const name = bare ?? braced
      return names === undefined || names.includes(name) ? (variables[name] ?? '') : match
    },
  )
}
