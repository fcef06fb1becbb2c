//go:build !linux

package main

func adoptOrphans() {}

func endOrphans() {}
