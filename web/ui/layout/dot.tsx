/** The dot between two facts in a text. The spaces of the interface's font are too narrow for it. */
export const Dot = () => <span className="mx-[0.15em]">{' · '}</span>
