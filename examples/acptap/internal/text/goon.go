package text

import (
	"context"

	acp "github.com/coder/acp-go-sdk"
)

// Mode asks which mode the session should go on in, after a plan was accepted.
// An empty line gives "".
func (c *Console) Mode(ctx context.Context, modes []acp.SessionMode) (acp.SessionModeId, error) {
	done, err := c.begin(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	text := "\n  " + c.style.ask("The plan is accepted.") + " In which mode shall the agent go on?\n"
	mode, err := choose(ctx, c, text, modes, func(m acp.SessionMode) string { return oneLine(m.Name) }, "Enter to stay in this one")
	return mode.Id, err
}

// GoOn asks with which prompt the agent should begin with an accepted plan. It
// gives "" if it should not.
func (c *Console) GoOn(ctx context.Context) (string, error) {
	const begin = "Carry out the plan."
	line, err := c.alone(ctx, "\n  "+c.style.ask("The plan is accepted; some agents now wait for a prompt to begin.")+
		"\n  "+c.style.dim("Enter to say \""+begin+"\", n for nothing, or a text")+c.style.ask(" › "))
	switch {
	case err != nil || line == "n":
		return "", err
	case line == "":
		return begin, nil
	}
	return line, nil
}
