package client

// tapIn and tapOut show the wire to Options.Tap.

func (c *Conn) tapIn(line []byte) {
	if c.opts.Tap != nil {
		c.contain("Tap", func() { c.opts.Tap("in", c.mask.In(line)) })
	}
}

func (c *Conn) tapOut() func([]byte) {
	if c.opts.Tap == nil {
		return nil
	}
	return func(line []byte) {
		c.contain("Tap", func() { c.opts.Tap("out", c.mask.Out(line)) })
	}
}
