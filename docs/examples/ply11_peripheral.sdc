# SPDX-License-Identifier: Apache-2.0
# Constraints of ply11_peripheral by itself, for Quartus, Radiant, OpenSTA and other readers of SDC.
# Inside a design the clock comes from elsewhere: then leave all of this out, since all ports belong to that clock.

# 100 MHz.
create_clock -name aclk -period 10.000 [get_ports aclk]

# Everything else is synchronous to it, aresetn too: there is no false path. The buses' other side has 4 ns of each clock.
set_input_delay -clock aclk 4.000 [get_ports {
  aresetn
  s_axil_awaddr* s_axil_awvalid s_axil_wdata* s_axil_wstrb* s_axil_wvalid s_axil_bready
  s_axil_araddr* s_axil_arvalid s_axil_rready
  s_axis_tvalid s_axis_tdata* s_axis_tkeep* s_axis_tlast
  m_axis_tready m_axis_text_tready
}]
set_output_delay -clock aclk 4.000 [get_ports {
  s_axil_awready s_axil_wready s_axil_bresp* s_axil_bvalid s_axil_arready s_axil_rdata* s_axil_rresp* s_axil_rvalid
  irq s_axis_tready
  m_axis_tvalid m_axis_tdata* m_axis_tlast m_axis_tuser*
  m_axis_text_tvalid m_axis_text_tdata* m_axis_text_tlast m_axis_text_tuser*
}]
