module github.com/acpdialects/acpdialects

go 1.26

require (
	github.com/coder/acp-go-sdk v0.13.5
	github.com/go-json-experiment/json v1.27.2
	github.com/google/go-cmp v0.7.0
	github.com/hashicorp/go-hclog v1.6.3
)
