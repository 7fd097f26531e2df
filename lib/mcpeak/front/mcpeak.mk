# Rules for GNU make: `include $(shell mcpeak --make)` after you have set MCPEAK_TARGET.
#
#   MCPEAK_TARGET = -- node server.mjs        how the server is reached, as on the command line
#   MCPEAK_DEPS   = server.mjs                what, apart from the suite, makes a result out of date
#   MCPEAK_FLAGS  = --restart                 more options of `mcpeak test`
#
#   %.junit.xml, %.html, %.report.json        from %.suite.json; run in parallel under `make -j`
#
# A failed run leaves its report where it is, for people and CI to read, but dated 1970:
# make sees it as out of date and runs it again; a red report can never count as done.

MCPEAK ?= mcpeak
MCPEAK_TARGET ?=
MCPEAK_DEPS ?=
MCPEAK_FLAGS ?=

mcpeak-red = { status=$$?; [ ! -f '$@' ] || touch -t 197001020000 '$@'; exit $$status; }

%.junit.xml: %.suite.json $(MCPEAK_DEPS)
	@$(MCPEAK) test '$<' --junit '$@' $(MCPEAK_FLAGS) $(MCPEAK_TARGET) || $(mcpeak-red)

%.html: %.suite.json $(MCPEAK_DEPS)
	@$(MCPEAK) test '$<' --html '$@' $(MCPEAK_FLAGS) $(MCPEAK_TARGET) || $(mcpeak-red)

%.report.json: %.suite.json $(MCPEAK_DEPS)
	@$(MCPEAK) test '$<' --json $(MCPEAK_FLAGS) $(MCPEAK_TARGET) > '$@' || $(mcpeak-red)
